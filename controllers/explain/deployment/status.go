package deployment

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

// condition sets a condition as the controller does at its own time. What it says to people is left out.
func (t *syncModel) condition(
	status *appsv1.DeploymentStatus, kind appsv1.DeploymentConditionType, is corev1.ConditionStatus, reason string,
) {
	c := deploymentutil.NewDeploymentCondition(kind, is, reason, "")
	c.LastUpdateTime, c.LastTransitionTime = metav1.Time{Time: t.now}, metav1.Time{Time: t.now}
	deploymentutil.SetDeploymentCondition(status, *c)
}

// newStatus counts what the ReplicaSets report. They are those from before this sync's own scaling.
func (t *syncModel) newStatus(newRS *appsv1.ReplicaSet, all []*appsv1.ReplicaSet) appsv1.DeploymentStatus {
	available := deploymentutil.GetAvailableReplicaCountForReplicaSets(all)
	status := appsv1.DeploymentStatus{
		ObservedGeneration:  t.d.Generation,
		Replicas:            deploymentutil.GetActualReplicaCountForReplicaSets(all),
		UpdatedReplicas:     deploymentutil.GetActualReplicaCountForReplicaSets([]*appsv1.ReplicaSet{newRS}),
		ReadyReplicas:       deploymentutil.GetReadyReplicaCountForReplicaSets(all),
		AvailableReplicas:   available,
		UnavailableReplicas: max(0, deploymentutil.GetReplicaCountForReplicaSets(all)-available),
		CollisionCount:      t.d.Status.CollisionCount,
		Conditions:          slices.Clone(t.d.Status.Conditions),
	}
	if t.countsTerminating(all) {
		status.TerminatingReplicas = deploymentutil.GetTerminatingReplicaCountForReplicaSets(all)
	}
	if available >= *t.d.Spec.Replicas-deploymentutil.MaxUnavailable(*t.d) {
		t.condition(&status, appsv1.DeploymentAvailable, corev1.ConditionTrue, deploymentutil.MinimumReplicasAvailable)
	} else {
		t.condition(&status, appsv1.DeploymentAvailable, corev1.ConditionFalse, deploymentutil.MinimumReplicasUnavailable)
	}
	return status
}

// countsTerminating reports whether the feature gate DeploymentReplicaSetTerminatingReplicas was on. A recording does
// not hold the gates, but what they wrote: a ReplicaSet that was synced once with the gate has the count.
func (t *syncModel) countsTerminating(all []*appsv1.ReplicaSet) bool {
	synced := false
	for _, rs := range all {
		if rs != nil && rs.Status.TerminatingReplicas != nil {
			return true
		}
		synced = synced || rs != nil && rs.Status.ObservedGeneration > 0
	}
	return !synced && t.terminating
}

// statusOnly is the end of a sync that does not judge progress.
func (t *syncModel) statusOnly(newRS *appsv1.ReplicaSet, all []*appsv1.ReplicaSet) error {
	status := t.newStatus(newRS, all)
	return t.finish(status)
}

// finish writes the status if it is another than before.
func (t *syncModel) finish(status appsv1.DeploymentStatus) error {
	if c := deploymentutil.GetDeploymentCondition(status, appsv1.DeploymentProgressing); c != nil {
		t.out.Progressing = c.Reason
	}
	if reflect.DeepEqual(t.d.Status, status) {
		return nil
	}
	return t.writeStatus()
}

// progress is the end of a sync that rolls out: it judges the rollout by what the ReplicaSets report, and by
// the deadline.
func (t *syncModel) progress(newRS *appsv1.ReplicaSet, all []*appsv1.ReplicaSet) error {
	status := t.newStatus(newRS, all)
	s := t.out.Step("progress", progressFile, "syncRolloutStatus")
	s.Line("Pods", fmt.Sprintf("updated %d, available %d, in all %d of %d", status.UpdatedReplicas, status.AvailableReplicas,
		status.Replicas, *t.d.Spec.Replicas), nil)
	j := t.judge(&status)
	s.Line("Progressing", j.why, j.reason)
	t.deadline(s, j)
	t.apply(j, &status)
	t.replicaFailure(newRS, all, &status)
	if len(t.out.Effects) == 0 && t.out.Verdict == "" {
		t.quietly(newRS, &status)
	}
	return t.finish(status)
}

// quietly says why a sync changed no size.
func (t *syncModel) quietly(newRS *appsv1.ReplicaSet, status *appsv1.DeploymentStatus) {
	desired := *t.d.Spec.Replicas
	switch {
	case deploymentutil.DeploymentComplete(t.d, status):
		t.because("complete")
		t.say("nothing: the rollout is complete, all %d are updated and available", desired)
	case newRS != nil && status.AvailableReplicas < desired && *newRS.Spec.Replicas == desired:
		t.because("%d of %d available", status.AvailableReplicas, desired)
		t.say("waiting: the sizes are right, but %d of %d are available", status.AvailableReplicas, desired)
	default:
		t.say("nothing: the sizes are right; it waits until the ReplicaSets report them")
	}
}

// judgement is the reason of the condition Progressing, and why. progressed says that the deadline begins again,
// decided that the condition is set.
type judgement struct {
	reason, why         string
	progressed, decided bool
}

// judge picks the reason of the condition Progressing, in upstream's order.
func (t *syncModel) judge(status *appsv1.DeploymentStatus) judgement {
	reason := ""
	if current := deploymentutil.GetDeploymentCondition(t.d.Status, appsv1.DeploymentProgressing); current != nil {
		reason = current.Reason
	}
	switch {
	case !deploymentutil.HasProgressDeadline(t.d):
		return judgement{why: "no progressDeadlineSeconds, no condition"}
	case status.Replicas == status.UpdatedReplicas && reason == deploymentutil.NewRSAvailableReason:
		return judgement{reason: reason, why: "no rollout in progress"}
	case deploymentutil.DeploymentComplete(t.d, status):
		return judgement{deploymentutil.NewRSAvailableReason, "all updated and available, no old ones left", true, true}
	case deploymentutil.DeploymentProgressing(t.d, status):
		return judgement{deploymentutil.ReplicaSetUpdatedReason, "updated, ready or available grew, or old ones shrank", true, true}
	case t.hasTimedOut(status):
		return judgement{deploymentutil.TimedOutReason, "no progress within the deadline", false, true}
	}
	return judgement{reason: reason, why: "the numbers have not changed"}
}

// apply puts a judgement into the status.
func (t *syncModel) apply(j judgement, status *appsv1.DeploymentStatus) {
	switch {
	case !deploymentutil.HasProgressDeadline(t.d):
		deploymentutil.RemoveDeploymentCondition(status, appsv1.DeploymentProgressing)
	case !j.decided:
	case j.reason == deploymentutil.TimedOutReason:
		t.condition(status, appsv1.DeploymentProgressing, corev1.ConditionFalse, j.reason)
	case j.reason == deploymentutil.ReplicaSetUpdatedReason:
		// Progress with the same reason is worth a new lastUpdateTime.
		deploymentutil.RemoveDeploymentCondition(status, appsv1.DeploymentProgressing)
		t.condition(status, appsv1.DeploymentProgressing, corev1.ConditionTrue, j.reason)
	default:
		t.condition(status, appsv1.DeploymentProgressing, corev1.ConditionTrue, j.reason)
	}
}

// replicaFailure copies the condition of a ReplicaSet that cannot make Pods, the new one's first.
func (t *syncModel) replicaFailure(newRS *appsv1.ReplicaSet, all []*appsv1.ReplicaSet, status *appsv1.DeploymentStatus) {
	for _, rs := range append([]*appsv1.ReplicaSet{newRS}, all...) {
		if rs == nil {
			continue
		}
		for _, c := range rs.Status.Conditions {
			if c.Type == appsv1.ReplicaSetReplicaFailure {
				deploymentutil.SetDeploymentCondition(status, deploymentutil.ReplicaSetToDeploymentCondition(c))
				return
			}
		}
	}
	deploymentutil.RemoveDeploymentCondition(status, appsv1.DeploymentReplicaFailure)
}

// hasTimedOut reports whether the deadline is over. Upstream's function of this name (DeploymentTimedOut) looks at the
// clock of the machine, which is another than that of the recording.
func (t *syncModel) hasTimedOut(status *appsv1.DeploymentStatus) bool {
	c := deploymentutil.GetDeploymentCondition(*status, appsv1.DeploymentProgressing)
	switch {
	case c == nil || c.Reason == deploymentutil.NewRSAvailableReason:
		return false
	case c.Reason == deploymentutil.TimedOutReason:
		return true
	}
	return !t.now.IsZero() && c.LastUpdateTime.Add(t.limit()).Before(t.now)
}

func (t *syncModel) limit() time.Duration {
	return time.Duration(*t.d.Spec.ProgressDeadlineSeconds) * time.Second
}

// deadline says how long the rollout still has without progress.
func (t *syncModel) deadline(s *arithmetic.Step, j judgement) {
	current := deploymentutil.GetDeploymentCondition(t.d.Status, appsv1.DeploymentProgressing)
	if t.now.IsZero() || current == nil || !deploymentutil.HasProgressDeadline(t.d) ||
		j.reason == deploymentutil.NewRSAvailableReason || j.reason == deploymentutil.TimedOutReason {
		return
	}
	passed := time.Duration(0)
	if !j.progressed {
		passed = t.now.Sub(current.LastUpdateTime.Time).Round(time.Second)
	}
	s.Line("deadline", fmt.Sprintf("%s - %s without progress", t.limit(), passed), "in "+(t.limit()-passed).String())
}
