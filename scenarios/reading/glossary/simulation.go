package glossary

// simulation are the terms of the simulation.
var simulation = Section{Title: "The simulation", Ours: true, Terms: []Term{
	{
		Name:    "virtual time",
		Meaning: "The clock of the simulation. It moves only when every goroutine waits.",
		Not:     []string{"simulated time", "fake time"},
	},
	{
		Name:    "time zero",
		Meaning: "The virtual time of the scenario's first step. Components start before it, at negative times.",
		Not:     []string{"the beginning"},
	},
	{
		Name:    "engine event",
		Meaning: "Something that the engine executes at a virtual time: a request, a delivery, a heartbeat.",
		Not:     []string{"step", "tick"},
	},
	{
		Name:    "request",
		View:    "trace",
		Meaning: "A call to the API server, recorded at the instant at which the server executes it.",
		Not:     []string{"call", "query"},
	},
	{
		Name:    "actor",
		Meaning: "The program that a record belongs to: a controller, kubectl, kubelet, kube-scheduler.",
		Not:     []string{"who", "user", "component"},
	},
	{
		Name:    "process",
		View:    "components",
		Meaning: "One kube-controller-manager, or one controller of your own. A process can crash and restart.",
		Not:     []string{"host"},
	},
	{
		Name: "stand-in",
		Meaning: "A small program of kubestep in place of a component: kubelets, kube-scheduler, metrics-server. " +
			"docs/explanation/fidelity.md says what each one does.",
		Not: []string{"mock", "fake"},
	},
	{
		Name:    "stream",
		Meaning: "One open watch of one client. Events of a stream stay in order.",
		Not:     []string{"pipe", "channel"},
	},
	{
		Name:    "hold",
		Meaning: "To keep back the events of a stream until they are released.",
		Not:     []string{"pause", "freeze"},
	},
	{
		Name:    "frozen",
		Meaning: "Said of a simulation that makes no progress for 30 seconds of real time.",
		Not:     []string{"stuck (said of a rollout)"},
	},
	{
		Name:    "quiet",
		Meaning: "Said of a cluster in which nothing is left to do except heartbeats and leases.",
		Not:     []string{"calm", "settled world"},
	},
	{
		Name:    "settle",
		Meaning: "To reach the last change of a run.",
		Not:     []string{"converge", "calm down"},
	},
	{
		Name: "waiting",
		Meaning: "Said of an object that is not in its desired state, and waits for something outside its controller, such as a Pod that " +
			"is not ready.",
		Not: []string{"blocked"},
	},
	{
		Name: "held",
		Meaning: "Said of an object whose controller cannot act: its process is dead or paused, its request is held, or its cache is " +
			"stale.",
		Not: []string{"blocked"},
	},
	{
		Name:    "stuck",
		Meaning: "Said of an object whose controller could act, but nothing makes it look at the object.",
		Not:     []string{"hanging", "frozen"},
	},
	{
		Name:    "to look",
		Meaning: "To sync the key of an object: kubestep why says when a controller looked last, and when it looks again.",
		Not:     []string{"check"},
	},
	{
		Name:    "stock build",
		Meaning: "The binary that an unmodified Go toolchain makes. In a few controllers, Go decides the order of operations.",
		Not:     []string{"normal build"},
	},
	{
		Name:    "exact build",
		Meaning: "The binary whose Go runtime takes every order from the seed: make build.",
		Not:     []string{"deterministic build"},
	},
}}
