package syllabus

// Domain is a part of an exam, in the words of its curriculum.
type Domain string

// The domains of the CKA.
const (
	architecture    Domain = "Cluster Architecture, Installation and Configuration"
	workload        Domain = "Workloads and Scheduling"
	networking      Domain = "Services and Networking" // of the CKAD, too
	storage         Domain = "Storage"
	troubleshooting Domain = "Troubleshooting"
)

// The domains of the CKAD.
const (
	design        Domain = "Application Design and Build"
	deployment    Domain = "Application Deployment"
	observability Domain = "Application Observability and Maintenance"
	environment   Domain = "Application Environment, Configuration and Security"
)

// none is for what an exam does not ask.
const none Domain = ""

// The lessons of each unit: name, CKA, CKAD, page.
var (
	workloads = []Lesson{
		{Name: "reconcile-loop", CKA: architecture, CKAD: none, Page: "concepts/architecture/controller/"},
		{Name: "create", CKA: architecture, CKAD: deployment, Page: "concepts/overview/components/"},
		{Name: "rolling-update", CKA: workload, CKAD: deployment, Page: "concepts/workloads/controllers/deployment/#rolling-update-deployment"},
		{Name: "stuck-rollout", CKA: workload, CKAD: deployment, Page: "concepts/workloads/controllers/deployment/#failed-deployment"},
		{Name: "terminating-pods", CKA: workload, CKAD: deployment, Page: "concepts/workloads/controllers/deployment/#terminating-pods"},
		{Name: "surge-or-unavailable", CKA: workload, CKAD: deployment, Page: "concepts/workloads/controllers/deployment/#max-unavailable"},
		{Name: "one-replica", CKA: workload, CKAD: deployment, Page: "concepts/workloads/controllers/deployment/#max-surge"},
		{Name: "surge-3-unavailable-2", CKA: workload, CKAD: deployment, Page: "concepts/workloads/controllers/deployment/#max-surge"},
		{Name: "rounding", CKA: workload, CKAD: deployment, Page: "concepts/workloads/controllers/deployment/#max-unavailable"},
		{Name: "rollover", CKA: workload, CKAD: deployment,
			Page: "concepts/workloads/controllers/deployment/#rollover-aka-multiple-updates-in-flight"},
		{Name: "pause-and-resume", CKA: workload, CKAD: deployment,
			Page: "concepts/workloads/controllers/deployment/#pausing-and-resuming-a-deployment"},
		{Name: "recreate", CKA: workload, CKAD: deployment, Page: "concepts/workloads/controllers/deployment/#recreate-deployment"},
		{Name: "proportional-scaling", CKA: workload, CKAD: deployment,
			Page: "concepts/workloads/controllers/deployment/#proportional-scaling"},
		{Name: "statefulset-order", CKA: workload, CKAD: design, Page: "concepts/workloads/controllers/statefulset/"},
		{Name: "daemonset-nodes", CKA: workload, CKAD: design, Page: "concepts/workloads/controllers/daemonset/#taints-and-tolerations"},
		{Name: "job-back-off", CKA: workload, CKAD: design, Page: "concepts/workloads/controllers/job/#pod-backoff-failure-policy"},
		{Name: "cronjob-missed", CKA: none, CKAD: design, Page: "concepts/workloads/controllers/cron-jobs/#starting-deadline"},
		{Name: "autoscaler", CKA: workload, CKAD: none, Page: "concepts/workloads/autoscaling/horizontal-pod-autoscale/"},
		{Name: "sidecars", CKA: workload, CKAD: design, Page: "concepts/workloads/pods/sidecar-containers/"},
	}
	services = []Lesson{
		{Name: "service-endpoints", CKA: networking, CKAD: networking, Page: "concepts/services-networking/service/"},
		{Name: "probes", CKA: troubleshooting, CKAD: observability, Page: "concepts/configuration/liveness-readiness-startup-probes/"},
		{Name: "terminating-endpoint", CKA: networking, CKAD: networking, Page: "concepts/services-networking/endpoint-slices/#conditions"},
		{Name: "terminating-traffic", CKA: networking, CKAD: networking,
			Page: "tutorials/services/pods-and-endpoint-termination-flow/"},
		{Name: "headless-service", CKA: networking, CKAD: networking,
			Page: "concepts/services-networking/service/#headless-services"},
		{Name: "external-service", CKA: networking, CKAD: networking,
			Page: "concepts/services-networking/service/#services-without-selectors"},
		{Name: "canary", CKA: networking, CKAD: deployment, Page: "concepts/workloads/management/#canary-deployments"},
	}
	scheduling = []Lesson{
		{Name: "fragmentation", CKA: workload, CKAD: environment, Page: "concepts/scheduling-eviction/kube-scheduler/"},
		{Name: "taints", CKA: workload, CKAD: none, Page: "concepts/scheduling-eviction/taint-and-toleration/"},
		{Name: "node-affinity", CKA: workload, CKAD: none, Page: "concepts/scheduling-eviction/assign-pod-node/#node-affinity"},
		{Name: "anti-affinity", CKA: workload, CKAD: none,
			Page: "concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity"},
		{Name: "topology-spread", CKA: workload, CKAD: none, Page: "concepts/scheduling-eviction/topology-spread-constraints/"},
		{Name: "scheduling-gates", CKA: workload, CKAD: none, Page: "concepts/scheduling-eviction/pod-scheduling-readiness/"},
		{Name: "preemption", CKA: workload, CKAD: none, Page: "concepts/scheduling-eviction/pod-priority-preemption/"},
		{Name: "device-claim", CKA: none, CKAD: none, Page: "concepts/scheduling-eviction/dynamic-resource-allocation/"},
	}
	disruption = []Lesson{
		{Name: "node-failure", CKA: troubleshooting, CKAD: none, Page: "concepts/architecture/nodes/#condition"},
		{Name: "image-pulls", CKA: troubleshooting, CKAD: observability, Page: "concepts/containers/images/#imagepullbackoff"},
		{Name: "crash-loop", CKA: troubleshooting, CKAD: observability, Page: "concepts/workloads/pods/pod-lifecycle/#restart-policy"},
		{Name: "disruption-budget", CKA: workload, CKAD: none, Page: "concepts/workloads/pods/disruptions/"},
		{Name: "termination", CKA: troubleshooting, CKAD: observability, Page: "concepts/workloads/pods/pod-lifecycle/#pod-termination"},
		{Name: "memory", CKA: troubleshooting, CKAD: environment, Page: "concepts/scheduling-eviction/node-pressure-eviction/"},
	}
	configuration = []Lesson{
		{Name: "volume-binding", CKA: storage, CKAD: design, Page: "concepts/storage/storage-classes/#volume-binding-mode"},
		{Name: "claim-in-use", CKA: storage, CKAD: design,
			Page: "concepts/storage/persistent-volumes/#storage-object-in-use-protection"},
		{Name: "reclaim-policy", CKA: storage, CKAD: design, Page: "concepts/storage/persistent-volumes/#reclaiming"},
		{Name: "configmap-rollout", CKA: workload, CKAD: environment, Page: "concepts/configuration/configmap/"},
		{Name: "quota-and-limits", CKA: workload, CKAD: environment, Page: "concepts/policy/resource-quotas/"},
		{Name: "service-account", CKA: architecture, CKAD: environment, Page: "reference/access-authn-authz/rbac/"},
		{Name: "webhook-down", CKA: troubleshooting, CKAD: environment,
			Page: "reference/access-authn-authz/extensible-admission-controllers/#failure-policy"},
		{Name: "field-owners", CKA: architecture, CKAD: none, Page: "reference/using-api/server-side-apply/"},
	}
	inside = []Lesson{
		{Name: "garbage-collection", CKA: architecture, CKAD: none, Page: "concepts/architecture/garbage-collection/"},
		{Name: "namespace-terminating", CKA: troubleshooting, CKAD: none, Page: "concepts/overview/working-with-objects/finalizers/"},
		{Name: "conflict", CKA: none, CKAD: none, Page: "reference/using-api/api-concepts/#resource-versions"},
		{Name: "stale-cache", CKA: none, CKAD: none, Page: "reference/using-api/api-concepts/#efficient-detection-of-changes"},
		{Name: "back-off", CKA: troubleshooting, CKAD: none, Page: "concepts/architecture/controller/"},
		{Name: "leader-election", CKA: architecture, CKAD: none, Page: "concepts/architecture/leases/"},
		{Name: "write-a-controller", CKA: none, CKAD: none, Page: "concepts/extend-kubernetes/operator/"},
		{Name: "controller-manager-tour", CKA: architecture, CKAD: none,
			Page: "reference/command-line-tools-reference/kube-controller-manager/"},
	}
)
