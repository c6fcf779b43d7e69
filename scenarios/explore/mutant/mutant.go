package mutant

import (
	"slices"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

// Mutant is a defect of a controller.
type Mutant struct {
	Name string
	// Controller is the controller that has it.
	Controller string
	// File is the path of its file in module, Old is text that stands there exactly once, and New replaces it. MUTANT in New is an
	// expression that is true if the program is to have the defect.
	module, file, old, new string
	// Does says what the controller does with the defect.
	Does string
	// Why says why no verdict notices it; empty if one does.
	Why string
}

// The modules that have controllers, and the versions that the edits are written for.
const (
	kubernetes        = "k8s.io/kubernetes"
	kubernetesWritten = "v1.37.2"
	endpoints         = "k8s.io/endpointslice"
	endpointsWritten  = "v0.37.2"
)

// All lists the mutants, those of a controller together.
func All() []Mutant {
	return slices.Concat(ofDeployments, ofReplicaSets, ofStatefulSets, ofDaemonSets, ofJobs, ofCronJobs, ofEndpointSlices, ofNodes,
		ofGarbage, ofOthers)
}

// Scenarios are those that run with the mutant, as patterns of the paths of their files below the folder of all scenarios, without .yaml.
func (m *Mutant) Scenarios() []string { return scenarios[m.Controller] }

// scenarios are those of a controller in the libraries, and the healthy clusters that it works on.
var scenarios = map[string][]string{
	names.DeploymentController: {
		"controllers/deployment*", "lessons/*", "bugs/deployment/*", healthy + "deployment-*",
	},
	names.ReplicaSetController: {
		"controllers/replicaset", "lessons/*", "bugs/replicaset/*", healthy + "replicaset-*", healthy + "quota-*",
	},
	names.StatefulSetController: {
		"controllers/statefulset*", "lessons/statefulset-order", "bugs/statefulset/*", healthy + "statefulset-*",
	},
	names.DaemonSetController: {"controllers/daemonset*", "bugs/daemonset/*", "bugs/kubelet/*", healthy + "daemonset-*"},
	names.JobController:       {"controllers/job*", "lessons/job-back-off", "bugs/job/*", healthy + "job-*"},
	names.CronJobController:   {"controllers/cronjob*", "bugs/cronjob/*", healthy + "cronjob-*"},
	names.EndpointSliceController: {
		"controllers/endpointslice", "lessons/terminating-pods", "bugs/endpointslice/*", healthy + "service-*",
	},
	names.NodeLifecycleController: {"controllers/node-lifecycle", "bugs/node-lifecycle/*", healthy + "node-*"},
	names.TaintEvictionController: {
		"controllers/node-lifecycle", "bugs/taint-eviction/*", healthy + "node-*", healthy + "pod-tolerates-*",
	},
	names.GarbageCollectorController: {
		"controllers/garbage-collector*", "lessons/garbage-collection", "bugs/garbage-collector/*", healthy + "owner*",
	},
	names.PodGarbageCollectorController: {
		"controllers/pod-garbage-collector", "bugs/pod-garbage-collector/*", healthy + "pod-of-*", healthy + "node-deleted",
	},
	names.NamespaceController: {"controllers/namespace", "bugs/namespace/*", healthy + "namespace-*"},
	names.DisruptionController: {
		"controllers/disruption", "lessons/disruption-budget", "bugs/disruption/*", healthy + "budget-*",
	},
	names.HorizontalPodAutoscalerController: {
		"controllers/horizontal-pod-autoscaler*", "bugs/horizontal-pod-autoscaler/*", healthy + "autoscaler-*",
	},
	names.TTLAfterFinishedController: {
		"controllers/job-suspend", "controllers/all-controllers", "bugs/ttl-after-finished/*", healthy + "job-ttl-*",
	},
}

// healthy are the scenarios of healthy clusters.
const healthy = "verdict/healthy/testdata/"
