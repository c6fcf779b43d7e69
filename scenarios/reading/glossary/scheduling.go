package glossary

const scheduling = docs + "concepts/scheduling-eviction/"

// placement are the terms of the choice of a node.
var placement = Section{Title: "Scheduling", Terms: []Term{
	{
		Name: "filter",
		Meaning: "The first phase in which the scheduler chooses a node: plugins rule out each node on which the Pod cannot run, for " +
			"example for lack of CPU.",
		Link: scheduling + "kube-scheduler/#kube-scheduler-implementation", View: "components",
	},
	{
		Name: "score", Aliases: []string{"scoring"},
		Meaning: "The second phase in which the scheduler chooses a node: plugins give points to each node that is left, and the " +
			"highest sum wins.",
		Link: scheduling + "kube-scheduler/#kube-scheduler-implementation", View: "components",
	},
	{
		Name: "scheduler profile", Aliases: []string{"schedulerName"},
		Meaning: "A configuration of the scheduler with a name: which plugins filter and score. A Pod chooses one by its field " +
			"schedulerName.",
		Link: docs + "reference/scheduling/config/#profiles",
	},
	{
		Name: "resource request",
		Meaning: "How much CPU and memory a container needs. A node has room for a Pod if the requests of all its Pods fit into what it " +
			"has, whatever they really use.",
		Link: docs + "concepts/configuration/manage-resources-containers/",
	},
	{
		Name: "unschedulable", Aliases: []string{"FailedScheduling"},
		Meaning: "Said of a Pod for which the scheduler finds no node, and of a node on which no new Pods are put.",
		Link:    scheduling + "kube-scheduler/", View: "components",
	},
	{
		Name: "node selector", Aliases: []string{"nodeSelector"},
		Meaning: "Labels that a node must have for a Pod to run there.",
		Link:    scheduling + "assign-pod-node/#nodeselector",
	},
	{
		Name: "Pod anti-affinity", Aliases: []string{"anti-affinity", "podAntiAffinity"},
		Meaning: "A rule that keeps a Pod away from nodes or zones on which Pods with certain labels run. If it is required, it is " +
			"better to have no node than to break it.",
		Link: scheduling + "assign-pod-node/#inter-pod-affinity-and-anti-affinity", View: "components",
	},
	{
		Name: "zone",
		Meaning: "A part of a cluster that fails independently of others, such as a data center. A label of each node says in which " +
			"zone it is.",
		Link: docs + "reference/labels-annotations-taints/#topologykubernetesiozone",
	},
	{
		Name: "topology spread constraint", Aliases: []string{"topologySpreadConstraints", "maxSkew", "skew"},
		Meaning: "A rule that spreads Pods over zones or nodes: the number of Pods in one of them may exceed that in the emptiest one by " +
			"maxSkew at most.",
		Link: scheduling + "topology-spread-constraints/", View: "components",
	},
	{
		Name: "matchLabelKeys",
		Meaning: "Labels whose values a rule about other Pods takes from the Pod itself. With pod-template-hash, the rule is about Pods " +
			"of the same version.",
		Link: scheduling + "topology-spread-constraints/#topologyspreadconstraints-field",
	},
	{
		Name: "scheduling gate", Aliases: []string{"schedulingGates", "gate", "gated", "SchedulingGated"},
		Meaning: "A name in a Pod's spec for which the scheduler leaves the Pod alone. Whoever set the gate removes it when the Pod may " +
			"run.",
		Link: scheduling + "pod-scheduling-readiness/", View: "components",
	},
	{
		Name: "priority", Aliases: []string{"PriorityClass"},
		Meaning: "A number that says how important a Pod is compared with others. The Pod gets it from a PriorityClass; the default " +
			"is 0.",
		Link: scheduling + "pod-priority-preemption/#priorityclass",
	},
	{
		Name: "preemption", Aliases: []string{"preempt", "preempted", "victim"},
		Meaning: "The scheduler deletes Pods of lower priority, the victims, to make room for one of higher priority.",
		Link:    scheduling + "pod-priority-preemption/", View: "components",
	},
	{
		Name: "nominatedNodeName",
		Meaning: "The node on which the scheduler makes room for a Pod, or on which it is about to bind it. It is in the status of the " +
			"Pod.",
		Link: scheduling + "pod-priority-preemption/#user-exposed-information", View: "objects",
	},
	{
		Name: "WaitForFirstConsumer", Aliases: []string{"volumeBindingMode"},
		Meaning: "A claim of such a StorageClass is bound when the scheduler chooses a node for the first Pod that uses it, and not " +
			"before.",
		Link: docs + "concepts/storage/storage-classes/#volume-binding-mode",
	},
	{
		Name: "dynamic resource allocation", Aliases: []string{"DRA", "device"},
		Meaning: "The way in which Pods get devices such as GPUs: a driver publishes the devices of a node, and the scheduler gives " +
			"them to claims.",
		Link: scheduling + "dynamic-resource-allocation/",
	},
	{
		Name:    "DeviceClass",
		Meaning: "Says which devices a claim can ask for, by an expression about their attributes.",
		Link:    scheduling + "dynamic-resource-allocation/#deviceclass",
	},
	{
		Name:    "ResourceSlice",
		Meaning: "A list of the devices of a node, which their driver publishes.",
		Link:    scheduling + "dynamic-resource-allocation/#resourceslice",
	},
	{
		Name: "ResourceClaim", Aliases: []string{"ResourceClaimTemplate"},
		Meaning: "A request for devices. Its status says which ones it got. A ResourceClaimTemplate makes one for each Pod that names it.",
		Link:    scheduling + "dynamic-resource-allocation/#resourceclaims-templates",
	},
}}
