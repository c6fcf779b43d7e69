package glossary

const docs = "https://kubernetes.io/docs/"

// cluster are the parts of a cluster.
var cluster = Section{Title: "The parts of a cluster", Terms: []Term{
	{
		Name:    "cluster",
		Meaning: "A set of nodes that run containers, and the control plane that manages them.",
		Link:    docs + "concepts/architecture/", View: "components",
	},
	{
		Name:    "control plane",
		Meaning: "The components that make decisions for a cluster: the API server, the scheduler and the controllers.",
		Link:    docs + "concepts/overview/components/#control-plane-components", View: "components",
	},
	{
		Name: "API server", Aliases: []string{"kube-apiserver"},
		Meaning: "The component that stores the objects of a cluster and serves them to everybody else. All other components talk to " +
			"the API server, and none of them calls another one.",
		Link: docs + "concepts/overview/components/#kube-apiserver", View: "components",
	},
	{
		Name:    "etcd",
		Meaning: "The database in which the API server stores all objects of the cluster.",
		Link:    docs + "concepts/overview/components/#etcd",
	},
	{
		Name: "kube-controller-manager", Aliases: []string{"controller manager"},
		Meaning: "One program that runs most of the controllers that come with Kubernetes, each in a loop of its own.",
		Link:    docs + "concepts/overview/components/#kube-controller-manager", View: "components",
	},
	{
		Name: "kube-scheduler", Aliases: []string{"scheduler"},
		Meaning: "The component that chooses a node for each new Pod. It stores its choice as a binding.",
		Link:    docs + "concepts/scheduling-eviction/kube-scheduler/", View: "components",
	},
	{
		Name: "kubelet",
		Meaning: "The program on each node that starts and stops the containers of the Pods there, and writes what it sees to their " +
			"status.",
		Link: docs + "concepts/overview/components/#kubelet", View: "components",
	},
	{
		Name:    "kubectl",
		Meaning: "The command line tool with which people read and change the objects of a cluster.",
		Link:    docs + "reference/kubectl/", View: "components",
	},
	{
		Name:    "node",
		Meaning: "A computer, virtual or physical, on which Pods run.",
		Link:    docs + "concepts/architecture/nodes/", View: "objects", Not: []string{"machine (a real computer)"},
	},
	{
		Name:    "heartbeat",
		Meaning: "The update by which a kubelet shows that its node is alive: it renews a lease every ten seconds.",
		Link:    docs + "concepts/architecture/nodes/#node-heartbeats",
	},
	{
		Name:    "container",
		Meaning: "A running program with everything that it needs, made from an image.",
		Link:    docs + "concepts/containers/",
	},
	{
		Name: "image", Aliases: []string{"container image"},
		Meaning: "The file from which a container is made. A tag such as v2 says which version it is.",
		Link:    docs + "concepts/containers/images/",
	},
	{
		Name:    "namespace",
		Meaning: "A part of a cluster with names of its own. Objects are in the namespace default if nobody says otherwise.",
		Link:    docs + "concepts/overview/working-with-objects/namespaces/",
	},
}}

// workloads are what runs in a cluster.
var workloads = Section{Title: "Workloads", Terms: []Term{
	{
		Name:    "workload",
		Meaning: "An application that runs in the cluster. Objects such as a Deployment, a StatefulSet or a Job describe it.",
		Link:    docs + "concepts/workloads/", View: "rollout",
	},
	{
		Name:    "Pod",
		Meaning: "The smallest thing that Kubernetes runs: one or more containers that are started and stopped together, on one node.",
		Link:    docs + "concepts/workloads/pods/", View: "rollout",
	},
	{
		Name: "Pod template", Aliases: []string{"template"},
		Meaning: "The part of a workload that says what its Pods look like. Changing it makes a new version of the workload.",
		Link:    docs + "concepts/workloads/pods/#pod-templates",
	},
	{
		Name: "Deployment",
		Meaning: "Keeps a number of identical Pods running, and replaces them step by step when their template changes. It does so " +
			"through ReplicaSets.",
		Link: docs + "concepts/workloads/controllers/deployment/", View: "rollout",
	},
	{
		Name:    "ReplicaSet",
		Meaning: "Keeps a number of identical Pods of one version running. A Deployment has one for each of its versions.",
		Link:    docs + "concepts/workloads/controllers/replicaset/", View: "rollout",
	},
	{
		Name:    "replica",
		Meaning: "One of the identical Pods of a workload. The field replicas says how many there should be.",
		Link:    docs + "concepts/workloads/controllers/deployment/#replicas", View: "rollout",
	},
	{
		Name: "StatefulSet",
		Meaning: "Keeps Pods with fixed names running, such as db-0, db-1 and db-2, one after the other. Each Pod keeps its name and " +
			"its volumes when it is replaced.",
		Link: docs + "concepts/workloads/controllers/statefulset/", View: "rollout",
	},
	{
		Name:    "ordinal",
		Meaning: "The number at the end of the name of a StatefulSet's Pod. The numbers begin with 0.",
		Link:    docs + "concepts/workloads/controllers/statefulset/#ordinal-index", View: "rollout",
	},
	{
		Name: "OrderedReady", Aliases: []string{"podManagementPolicy"},
		Meaning: "The default order of a StatefulSet: it creates Pods from the lowest ordinal up and waits until each is ready before " +
			"it creates the next one, and it deletes from the highest ordinal down.",
		Link: docs + "concepts/workloads/controllers/statefulset/#pod-management-policies",
	},
	{
		Name:    "partition",
		Meaning: "A number in the update strategy of a StatefulSet: Pods with a smaller ordinal keep the old version.",
		Link:    docs + "concepts/workloads/controllers/statefulset/#partitions",
	},
	{
		Name:    "DaemonSet",
		Meaning: "Runs one Pod on each node, or on each node that matches.",
		Link:    docs + "concepts/workloads/controllers/daemonset/", View: "rollout",
	},
	{
		Name:    "Job",
		Meaning: "Runs Pods until enough of them have succeeded, and replaces those that fail.",
		Link:    docs + "concepts/workloads/controllers/job/", View: "objects",
	},
	{
		Name:    "backoffLimit",
		Meaning: "How many failures a Job tolerates before it fails as a whole. The default is 6.",
		Link:    docs + "concepts/workloads/controllers/job/#pod-backoff-failure-policy",
	},
	{
		Name:    "podFailurePolicy",
		Meaning: "Rules that say what a Job does with a failed Pod: count the failure, ignore it, or fail the Job at once.",
		Link:    docs + "concepts/workloads/controllers/job/#pod-failure-policy",
	},
	{
		Name: "podReplacementPolicy",
		Meaning: "Says when a Job replaces a Pod: as soon as the Pod terminates or has failed, or only when it has ended and is Failed " +
			"or Succeeded.",
		Link: docs + "concepts/workloads/controllers/job/#pod-replacement-policy",
	},
	{
		Name: "completions", Aliases: []string{"parallelism"},
		Meaning: "How many Pods of a Job must succeed; parallelism is how many may run at the same time.",
		Link:    docs + "concepts/workloads/controllers/job/#parallel-jobs",
	},
	{
		Name:    "CronJob",
		Meaning: "Creates a Job again and again, at the times that its schedule says.",
		Link:    docs + "concepts/workloads/controllers/cron-jobs/", View: "objects",
	},
	{
		Name: "HorizontalPodAutoscaler", Aliases: []string{"HPA", "autoscaler"},
		Meaning: "Changes the number of replicas of a workload so that a metric, such as the use of CPU, stays near its target.",
		Link:    docs + "concepts/workloads/autoscaling/horizontal-pod-autoscale/", View: "objects",
	},
	{
		Name:    "Service",
		Meaning: "One stable address for a set of Pods.",
		Link:    docs + "concepts/services-networking/service/", View: "objects",
	},
	{
		Name: "EndpointSlice", Aliases: []string{"endpoint"},
		Meaning: "The list of the addresses behind a Service, and whether each of them is ready.",
		Link:    docs + "concepts/services-networking/endpoint-slices/", View: "objects",
	},
	{
		Name: "PersistentVolumeClaim", Aliases: []string{"PVC", "claim"},
		Meaning: "A request for storage. It stays when the Pod that uses it is deleted.",
		Link:    docs + "concepts/storage/persistent-volumes/", View: "objects",
	},
	{
		Name: "PersistentVolume", Aliases: []string{"PV", "volume"},
		Meaning: "A piece of storage in the cluster. A claim is bound to one.",
		Link:    docs + "concepts/storage/persistent-volumes/", View: "objects",
	},
	{
		Name:    "StorageClass",
		Meaning: "Says who makes volumes for claims, when, and what happens to a volume whose claim is deleted.",
		Link:    docs + "concepts/storage/storage-classes/",
	},
}}
