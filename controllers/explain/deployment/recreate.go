package deployment

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/kubernetes/pkg/controller"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

// recreate is the strategy Recreate: the old Pods go first, all of them, then the new ones come.
func (t *syncModel) recreate() error {
	newRS, old, err := t.newReplicaSet(false)
	if err != nil {
		return err
	}
	all := append(slices.Clip(old), newRS)
	active := controller.FilterActiveReplicaSets(old)
	s := t.out.Step("scale old ones down?", recreateFile, "scaleDownOldReplicaSetsForRecreate")
	for _, rs := range active {
		s.Line(rs.Name, fmt.Sprint(*rs.Spec.Replicas), 0)
		if _, _, err := t.scale(rs, 0, false); err != nil {
			return err
		}
	}
	if len(active) > 0 {
		t.because("Recreate: all old Pods are removed first")
		return t.progress(newRS, all)
	}
	s.Line("old Pods desired", "", 0)
	if why := t.oldPodsRunning(newRS, old); why != "" {
		t.say("waiting: %s; new Pods are created when all old ones are gone", why)
		t.because("%s", why)
		return t.progress(newRS, all)
	}
	if newRS == nil {
		if newRS, old, err = t.newReplicaSet(true); err != nil {
			return err
		}
		all = append(slices.Clip(old), newRS)
	}
	s = t.out.Step("scale the new one up?", recreateFile, "scaleUpNewReplicaSetForRecreate")
	s.Line(newRS.Name, fmt.Sprintf("%d -> spec.replicas", *newRS.Spec.Replicas), *t.d.Spec.Replicas)
	_, scaled, err := t.scale(newRS, *t.d.Spec.Replicas, false)
	if err != nil {
		return err
	}
	if scaled {
		t.because("no old Pods")
	}
	if deploymentutil.DeploymentComplete(t.d, &t.d.Status) {
		t.cleanUpHistory(old)
	}
	return t.progress(newRS, all)
}

// oldPodsRunning says what is left of the old Pods; "" when nothing is.
func (t *syncModel) oldPodsRunning(newRS *appsv1.ReplicaSet, old []*appsv1.ReplicaSet) string {
	s := t.out.Step("are old Pods left?", recreateFile, "oldPodsRunning")
	count := deploymentutil.GetActualReplicaCountForReplicaSets(old)
	s.Line("status.replicas of old ones", "", count)
	if count > 0 {
		return fmt.Sprintf("status.replicas of the old ReplicaSets is still %d", count)
	}
	running := 0
	for _, rs := range t.list {
		if newRS == nil || newRS.UID != rs.UID {
			running += t.running[rs.UID]
		}
	}
	s.Line("old Pods in the cache", "", running)
	if running > 0 {
		return fmt.Sprintf("%d old Pods still exist, perhaps terminating", running)
	}
	return ""
}
