package explain

import (
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/recording"
)

// explained are the controllers whose syncs are explained, with the resource whose objects their keys name.
var explained = map[string]struct {
	resource string
	explain  func(sync) *Explanation
}{
	names.DeploymentController:            {deployments, sync.deployment},
	names.ReplicaSetController:            {replicaSets, sync.replicaSet},
	names.ReplicationControllerController: {"replicationcontrollers", sync.replicationController},
	names.StatefulSetController:           {"statefulsets.apps", sync.statefulSet},
	names.DaemonSetController:             {"daemonsets.apps", sync.daemonSet},
	names.CronJobController:               {"cronjobs.batch", sync.cronJob},
	names.JobController:                   {"jobs.batch", sync.jobSync},
}

// At explains the sync that record seq of a recording belongs to, from the content of its caches: its start, its end,
// or one of its requests. It is nil for other records, and for syncs of controllers that are not explained.
func At(rec *recording.Recording, seq int64) *Explanation {
	s, ok := syncOf(rec, seq)
	if !ok {
		return nil
	}
	known, ok := explained[s.controller()]
	if !ok {
		return nil
	}
	return known.explain(s)
}

// ControllerOf is the controller that syncs the objects of a resource, such as deployments.apps; empty if it is not explained.
func ControllerOf(resource string) string {
	for name, of := range explained {
		if of.resource == resource {
			return name
		}
	}
	return ""
}
