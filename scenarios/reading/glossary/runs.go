package glossary

// runs are the terms of runs and traces.
var runs = Section{Title: "Runs and what they record", Ours: true, Terms: []Term{
	{
		Name:    "simulation",
		Meaning: "A cluster in one process: API server, controllers, nodes and virtual time.",
		Not:     []string{"world", "house", "universe"},
	},
	{
		Name:    "run",
		Meaning: "One execution of a scenario with one seed.",
		Not:     []string{"play", "game", "world"},
	},
	{
		Name: "seed",
		Meaning: "The number from which a run draws everything that is random: latencies, the order of simultaneous events, names, " +
			"uids.",
		Not: []string{"random state"},
	},
	{
		Name:    "draw",
		Meaning: "One value that a run takes from its seed. A draw depends on a name, so another draw elsewhere does not change it.",
		Not:     []string{"roll", "dice"},
	},
	{
		Name:    "trace",
		View:    "trace",
		Meaning: "The records of a run, in order. -o jsonl prints it.",
		Not:     []string{"log", "journal"},
	},
	{
		Name:    "archive",
		Meaning: "A file with a trace, compressed and with checksums, and with the scenario and the seed: --trace-out trace.kst.",
		Not:     []string{"container, which is Kubernetes' word"},
	},
	{
		Name:    "record",
		View:    "trace",
		Meaning: "One entry of a trace: a request, a watch event, the start or the end of a sync, a step, a note.",
		Not:     []string{"line", "entry"},
	},
	{
		Name:    "cause",
		Meaning: "The earlier record that brought a record about. Causes form chains.",
		Not:     []string{"reason (in Kubernetes, a field of conditions, Events and errors)"},
	},
	{
		Name:    "trace hash",
		Meaning: "The SHA-256 of the JSON lines of a trace. Two runs with the same hash are identical.",
		Not:     []string{"fingerprint", "checksum"},
	},
	{
		Name:    "recording",
		Meaning: "A complete trace with its lookups: every object, cache and work queue at every record.",
		Not:     []string{"tape", "movie"},
	},
	{
		Name:    "replay",
		Meaning: "To run the same scenario with the same seed again, and get the same trace.",
		Not:     []string{"playback"},
	},
	{
		Name:    "play",
		Meaning: "To move the cursor through a recording in the terminal.",
		Not:     []string{"animate"},
	},
	{
		Name: "film",
		Meaning: "A recording that plays record by record, at a pace that can be followed. To play live is in proportion to virtual " +
			"time.",
		Not: []string{"animation", "slow motion"},
	},
	{
		Name:    "beat",
		Meaning: "How long a record is shown in a film.",
		Not:     []string{"frame (a picture of the screen)", "tick"},
	},
	{
		Name:    "cursor",
		Meaning: "The record that the terminal shows.",
		Not:     []string{"now", "here"},
	},
	{
		Name:    "verdict",
		Meaning: "How a run ended: pass, fail or error.",
		Not:     []string{"fate", "judgement"},
	},
	{
		Name:    "divergence",
		Meaning: "The first difference between two runs. Two runs diverge.",
		Not:     []string{"part", "parting", "split"},
	},
	{
		Name: "outage",
		Meaning: "A time in which a workload has fewer available Pods, or a Service fewer usable endpoints, than before and than it " +
			"still wants.",
		Not: []string{"downtime", "gap"},
	},
	{
		Name:    "dump",
		Meaning: "The objects of a cluster, as kubectl get -o yaml prints them.",
		Not:     []string{"backup", "export"},
	},
	{
		Name:    "decision",
		Meaning: "A write in which a controller says what it wants: no status, no Event, and without the values that the seed draws.",
		Not:     []string{"choice"},
	},
}}
