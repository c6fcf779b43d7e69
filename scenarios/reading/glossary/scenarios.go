package glossary

// scenarioTerms are the terms of scenario files.
var scenarioTerms = Section{Title: "Scenarios", Ours: true, Terms: []Term{
	{
		Name:    "scenario",
		Meaning: "A YAML file with a cluster, steps and checks.",
		Not:     []string{"script", "story", "play"},
	},
	{
		Name:    "step",
		Meaning: "One entry of spec.steps. It has exactly one verb.",
		Not:     []string{"action (only the kind of its record)"},
	},
	{
		Name:    "verb",
		Meaning: "What a step does: create, scale, set-image, wait, fault and others.",
		Not:     []string{"command", "operation"},
	},
	{
		Name:    "target",
		Meaning: "The object that a step acts on: KIND/NAME or NAMESPACE/KIND/NAME.",
		Not:     []string{"victim"},
	},
	{
		Name:    "check",
		Meaning: "A condition of the scenario that must hold during the run or at its end.",
		Not:     []string{"assertion", "expectation (a term of Kubernetes' controllers)"},
	},
	{
		Name:    "invariant",
		Meaning: "A rule that every run checks, whatever the scenario says.",
		Not:     []string{"law"},
	},
	{
		Name:    "CEL condition",
		Meaning: "An expression in a scenario that is true or false, in the Common Expression Language.",
		Not:     []string{"predicate"},
	},
	{
		Name:    "fault",
		Meaning: "Something that the scenario makes go wrong: a failed request, a delayed watch event, a crash.",
		Not:     []string{"mishap", "trouble", "chaos"},
	},
	{
		Name: "fault rule",
		Meaning: "Which requests or watch events a fault applies to, how often, and what it does. A rule applies to a request or " +
			"fires.",
		Not: []string{"strike", "hit"},
	},
	{
		Name:    "pod rule",
		Meaning: "An entry of spec.cluster.pods: how long Pods take to become ready, to run and to stop.",
		Not:     []string{"pod life"},
	},
	{
		Name:    "note",
		Meaning: "Text that a scenario shows at a point of the run.",
		Not:     []string{"comment", "message"},
	},
	{
		Name:    "question",
		Meaning: "A step ask: a question with its answer, which the run proves.",
		Not:     []string{"quiz", "riddle"},
	},
	{
		Name:    "lesson",
		Meaning: "A scenario in scenarios/lessons that teaches one idea.",
		Not:     []string{"tutorial (a page in docs/tutorial)"},
	},
	{
		Name:    "course",
		Meaning: "The lessons in the order in which the class takes them.",
		Not:     []string{"curriculum"},
	},
	{
		Name:    "gallery",
		Meaning: "The scenarios in scenarios/bugs: bugs and surprising behavior of upstream controllers. gallery.md lists them.",
		Not:     []string{"zoo"},
	},
	{
		Name:    "upstream",
		Meaning: "The source code of Kubernetes, client-go and kubectl.",
		Not:     []string{"the original", "the real thing"},
	},
	{
		Name:    "horizon",
		Meaning: "The virtual time at which a run ends at the latest.",
		Not:     []string{"deadline", "end of the world"},
	},
}}

// exploring are the terms of many runs.
var exploring = Section{Title: "Exploring", Ours: true, Terms: []Term{
	{
		Name:    "sweep",
		Meaning: "Many runs of one scenario, each with another seed: kubestep explore.",
		Not:     []string{"campaign", "fuzzing"},
	},
	{
		Name:    "shard",
		Meaning: "The part of a sweep that one machine runs.",
		Not:     []string{"slice"},
	},
	{
		Name:    "group",
		Meaning: "The failing seeds of a sweep that failed the same check after the same first divergent decision.",
		Not:     []string{"bucket", "cluster"},
	},
	{
		Name:    "shrink",
		Meaning: "To remove and reduce parts of a failing scenario for as long as it fails the same check.",
		Not:     []string{"minimize", "make small"},
	},
	{
		Name: "branch",
		Meaning: "A run with one more step than its parent, or with another number from its start. Both have the same seed, so they " +
			"are identical up to that step.",
		Not: []string{"fork", "what-if"},
	},
}}
