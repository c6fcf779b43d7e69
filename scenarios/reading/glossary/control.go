package glossary

// control are the terms of controllers.
var control = Section{Title: "How controllers work", Terms: []Term{
	{
		Name: "controller", Aliases: []string{"control loop"},
		Meaning: "A loop that compares the current state of some objects with their desired state, and makes changes to bring the " +
			"current state closer.",
		Link: docs + "concepts/architecture/controller/", View: "loop", Not: []string{"robot", "daemon"},
	},
	{
		Name: "desired state", Aliases: []string{"spec"},
		Meaning: "What should be so: the part spec of an object.",
		Link:    docs + "concepts/overview/working-with-objects/#object-spec-and-status", View: "objects", Not: []string{"wish"},
	},
	{
		Name: "current state", Aliases: []string{"status"},
		Meaning: "What is so: the part status of an object, which controllers and kubelets write.",
		Link:    docs + "concepts/overview/working-with-objects/#object-spec-and-status", View: "objects",
	},
	{
		Name: "sync", Aliases: []string{"syncing", "synced"},
		Meaning: "One pass of a controller's loop, for one object: it reads the object and what belongs to it, decides, and writes. " +
			"The next sync starts over.",
		Link: docs + "concepts/architecture/controller/#controller-pattern", View: "loop", Not: []string{"turn", "round"},
	},
	{
		Name: "reconcile", Aliases: []string{"reconcile loop", "reconciliation"},
		Meaning: "To make the current state match the desired state. Another word for what a sync does.",
		Link:    docs + "concepts/architecture/controller/", View: "loop",
	},
	{
		Name:    "watch",
		Meaning: "A request that stays open, over which the API server reports each change of some objects.",
		Link:    docs + "reference/using-api/api-concepts/#efficient-detection-of-changes", View: "components",
	},
	{
		Name:    "watch event",
		Meaning: "One message of a watch: an object was ADDED, MODIFIED or DELETED. BOOKMARK and ERROR are about the watch itself.",
		Link:    docs + "reference/using-api/api-concepts/#efficient-detection-of-changes", View: "components",
		Not: []string{"news", "notification"},
	},
	{
		Name: "informer", Aliases: []string{"shared informer"},
		Meaning: "The part of a controller that lists and watches one kind of object, keeps a cache of it, and reports each change to " +
			"the controller. The controllers of one process share it.",
		Link: "https://pkg.go.dev/k8s.io/client-go/tools/cache", View: "queues", Not: []string{"reader"},
	},
	{
		Name: "handler", Aliases: []string{"event handler"},
		Meaning: "What an informer calls for each change. It usually does no more than add a key to the work queue.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/tools/cache#ResourceEventHandler", View: "loop",
	},
	{
		Name:    "cache",
		Meaning: "The objects that an informer has received. Controllers read from it, not from the API server.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/tools/cache", View: "queues", Not: []string{"memory", "picture"},
	},
	{
		Name: "indexer", Aliases: []string{"lister"},
		Meaning: "The part of an informer's cache that finds objects, for example all Pods of a namespace. A lister reads from it.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/tools/cache#Indexer", View: "queues",
	},
	{
		Name: "delta", Aliases: []string{"queue of deltas"},
		Meaning: "A change of an object on its way from the watch into the cache. An informer keeps them in order.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/tools/cache",
	},
	{
		Name:    "stale",
		Meaning: "Said of a cache that has not received the latest changes yet.",
		View:    "queues", Not: []string{"old", "behind", "late"},
	},
	{
		Name: "list", Aliases: []string{"relist"},
		Meaning: "A request for all objects of a kind. An informer lists once, and then watches what changes.",
		Link:    docs + "reference/using-api/api-concepts/#efficient-detection-of-changes",
	},
	{
		Name: "resync",
		Meaning: "An informer reports all objects of its cache again, though nothing has changed, so that controllers check them " +
			"again.",
		Link: "https://pkg.go.dev/k8s.io/client-go/tools/cache#SharedInformer",
	},
	{
		Name:    "key",
		Meaning: "What a work queue holds: the namespace and name of an object, such as default/web. It does not say what happened.",
		View:    "queues", Not: []string{"item"},
	},
	{
		Name: "work queue", Aliases: []string{"workqueue", "queue"},
		Meaning: "The keys of the objects that a controller has to check. A key is in it once, however often it is added.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/util/workqueue", View: "queues", Not: []string{"inbox", "to-do list"},
	},
	{
		Name: "enqueue", Aliases: []string{"enqueued", "queued"},
		Meaning: "To add a key to the work queue. This is how a watch event leads to a sync.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/util/workqueue", View: "loop",
	},
	{
		Name:    "worker",
		Meaning: "Takes one key after the other from the work queue and syncs it. A controller can have several workers.",
		View:    "queues",
	},
	{
		Name: "requeue", Aliases: []string{"requeued"},
		Meaning: "To add a key to the work queue again, usually with a back-off.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/util/workqueue", View: "queues", Not: []string{"put back"},
	},
	{
		Name: "back-off", Aliases: []string{"backoff", "exponential delay"},
		Meaning: "The delay before something that failed is tried again. It doubles with each failure, up to a limit.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/util/workqueue", View: "queues", Not: []string{"patience"},
	},
	{
		Name: "rate limiter", Aliases: []string{"rate limit"},
		Meaning: "Limits how many requests a client sends, or how often a key is tried.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/util/flowcontrol",
	},
	{
		Name: "expectations",
		Meaning: "The creations and deletions that a controller has requested and not yet seen in its cache. Until it has seen them, " +
			"it does not create or delete again.",
		View: "queues", Not: []string{"check"},
	},
	{
		Name:    "tombstone",
		Meaning: "What an informer reports when it missed the deletion of an object: the last state that it knows.",
		Link:    "https://pkg.go.dev/k8s.io/client-go/tools/cache#DeletedFinalStateUnknown", Not: []string{"ghost"},
	},
	{
		Name: "lease",
		Meaning: "An object by which a leader, or a node, shows that it is alive: it writes the time into the lease again and again. " +
			"Whoever does not renew it in time counts as gone.",
		Link: docs + "concepts/architecture/leases/", View: "components", Not: []string{"lock", "ticket"},
	},
	{
		Name: "leader election", Aliases: []string{"leader"},
		Meaning: "Of several copies of a program, only one works: the leader, which holds the lease. The others wait.",
		Link:    docs + "concepts/architecture/leases/#leader-election", View: "components",
	},
	{
		Name:    "feature gate",
		Meaning: "A switch for one feature of Kubernetes.",
		Link:    docs + "reference/command-line-tools-reference/feature-gates/",
	},
}}

// api are the terms of objects and of requests for them.
var api = Section{Title: "Objects and requests", Terms: []Term{
	{
		Name:    "object",
		Meaning: "A record of what you want, stored by the API server: a Pod, a Deployment, a Service.",
		Link:    docs + "concepts/overview/working-with-objects/", View: "objects",
	},
	{
		Name: "store", Aliases: []string{"store rv"},
		Meaning: "What the API server has stored. A cache is behind when it lacks changes that are in the store.",
		Link:    docs + "concepts/overview/components/#etcd", View: "queues",
	},
	{
		Name: "CustomResourceDefinition", Aliases: []string{"CRD", "custom resource"},
		Meaning: "An object that adds a kind of your own to the API. A controller of your own can give it a meaning.",
		Link:    docs + "concepts/extend-kubernetes/api-extension/custom-resources/", View: "objects",
	},
	{
		Name:    "kind",
		Meaning: "The type of an object, such as Pod or Deployment.",
		Link:    docs + "reference/using-api/api-concepts/#standard-api-terminology", View: "objects",
	},
	{
		Name: "label", Aliases: []string{"pod-template-hash"},
		Meaning: "A key and a value on an object, by which others select it. pod-template-hash is the label that tells the ReplicaSets " +
			"of a Deployment apart.",
		Link: docs + "concepts/overview/working-with-objects/labels/", View: "objects",
	},
	{
		Name: "selector", Aliases: []string{"label selector"},
		Meaning: "Says by labels which objects are meant, such as app=web.",
		Link:    docs + "concepts/overview/working-with-objects/labels/#label-selectors", View: "objects",
	},
	{
		Name:    "annotation",
		Meaning: "A key and a value on an object for programs and people, by which nothing is selected.",
		Link:    docs + "concepts/overview/working-with-objects/annotations/", View: "objects",
	},
	{
		Name: "uid",
		Meaning: "The identifier of one object, unlike that of any other. An object that is deleted and created again under the same " +
			"name has another uid.",
		Link: docs + "concepts/overview/working-with-objects/names/#uids", View: "objects",
	},
	{
		Name: "resourceVersion", Aliases: []string{"rv"},
		Meaning: "The version of an object. It changes with each write, and a write that is based on an older version is rejected.",
		Link:    docs + "reference/using-api/api-concepts/#resource-versions", View: "objects", Not: []string{"revision (of " +
			"a Deployment)"},
	},
	{
		Name: "conflict", Aliases: []string{"409"},
		Meaning: "The answer 409 of the API server to an update that is based on an older version of the object. Whoever sent it reads " +
			"the object again and tries again.",
		Link: docs + "reference/using-api/api-concepts/#resource-versions", View: "components",
	},
	{
		Name: "generation", Aliases: []string{"observedGeneration"},
		Meaning: "A number that grows with each change of an object's spec. observedGeneration in the status says which of them the " +
			"controller has seen.",
		Link: docs + "reference/kubernetes-api/common-definitions/object-meta/", View: "objects",
	},
	{
		Name: "status condition", Aliases: []string{"condition", "Progressing"},
		Meaning: "An entry in the status of an object: a type such as Ready or Progressing, whether it holds (True, False or Unknown), " +
			"and a reason.",
		Link: docs + "concepts/workloads/pods/pod-lifecycle/#pod-conditions", View: "objects",
	},
	{
		Name: "Event",
		Meaning: "An object in which a component reports what it did to another object, such as ScalingReplicaSet. kubectl describe " +
			"shows them.",
		Link: docs + "reference/kubernetes-api/cluster-resources/event-v1/", View: "trace",
	},
	{
		Name: "binding", Aliases: []string{"bind", "bound"},
		Meaning: "The request by which the scheduler stores on which node a Pod runs. A claim and its volume are bound to each other, " +
			"too.",
		Link: docs + "concepts/scheduling-eviction/kube-scheduler/", View: "components",
	},
	{
		Name: "admission", Aliases: []string{"admission controller"},
		Meaning: "Checks in the API server that can change or reject a request before it is stored. Quotas work this way.",
		Link:    docs + "reference/access-authn-authz/admission-controllers/",
	},
	{
		Name: "admission webhook", Aliases: []string{"webhook"},
		Meaning: "A handler in an operator that the API server calls before it stores an object. A mutating webhook can change the " +
			"object, a validating one can deny the request.",
		Link: docs + "reference/access-authn-authz/extensible-admission-controllers/", View: "trace",
	},
	{
		Name: "403", Aliases: []string{"Forbidden"},
		Meaning: "The answer of the API server to a request that is not allowed, such as a Pod that exceeds a quota.",
		Link:    docs + "reference/using-api/api-concepts/",
	},
	{
		Name: "429", Aliases: []string{"TooManyRequests", "Too Many Requests"},
		Meaning: "The answer of the API server to a request that may be sent again later, such as an eviction that a " +
			"PodDisruptionBudget does not allow now.",
		Link: docs + "concepts/scheduling-eviction/api-eviction/#how-api-initiated-eviction-works",
	},
}}
