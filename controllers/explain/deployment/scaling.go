package deployment

import (
	"fmt"
	"math"
	"slices"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/kubernetes/pkg/controller"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

// scaleOnly is what a paused Deployment and a scaling event get: sizes, but no progress of the rollout.
func (t *syncModel) scaleOnly() error {
	newRS, old, err := t.newReplicaSet(false)
	if err != nil {
		return err
	}
	if err := t.scaleAll(newRS, old); err != nil {
		return err
	}
	if t.d.Spec.Paused && rollbackTo(t.d) == nil {
		t.cleanUpHistory(old)
	}
	return t.statusOnly(newRS, append(slices.Clip(old), newRS))
}

// scaleAll picks one of three ways to spread a new size over the ReplicaSets.
func (t *syncModel) scaleAll(newRS *appsv1.ReplicaSet, old []*appsv1.ReplicaSet) error {
	replicas := *t.d.Spec.Replicas
	if only := deploymentutil.FindActiveOrLatest(newRS, old); only != nil {
		s := t.out.Step("one ReplicaSet has Pods: it gets all replicas", utilFile, "FindActiveOrLatest")
		s.Line(only.Name, fmt.Sprintf("%d -> spec.replicas", *only.Spec.Replicas), replicas)
		_, scaled, err := t.scale(only, replicas, false)
		if scaled {
			t.because("spec.replicas is %d, and it is the only one with Pods", replicas)
		}
		if err == nil && !scaled {
			t.say("nothing: %s has its %d replicas", only.Name, replicas)
		}
		return err
	}
	if deploymentutil.IsSaturated(t.d, newRS) {
		s := t.out.Step("the new ReplicaSet is complete: scale the others to 0", utilFile, "IsSaturated")
		t.because("the new one has all its Pods")
		for _, rs := range controller.FilterActiveReplicaSets(old) {
			s.Line(rs.Name, fmt.Sprint(*rs.Spec.Replicas), 0)
			if _, _, err := t.scale(rs, 0, false); err != nil {
				return err
			}
		}
		return nil
	}
	if !deploymentutil.IsRollingUpdate(t.d) {
		t.say("nothing: the strategy %s has no proportional scaling", t.d.Spec.Strategy.Type)
		return nil
	}
	return t.proportional(controller.FilterActiveReplicaSets(append(slices.Clip(old), newRS)))
}

// proportional spreads the difference over all ReplicaSets that have Pods, largest first, each by its share.
// What rounding leaves over goes to the first.
func (t *syncModel) proportional(active []*appsv1.ReplicaSet) error {
	replicas, count := *t.d.Spec.Replicas, deploymentutil.GetReplicaCountForReplicaSets(active)
	allowed := int32(0)
	if replicas > 0 {
		allowed = replicas + deploymentutil.MaxSurge(*t.d)
	}
	toAdd := allowed - count
	s := t.out.Step("several have Pods: each gets its share", syncFile, "scale")
	s.Line("allowedSize", fmt.Sprintf("%d + maxSurge %d", replicas, deploymentutil.MaxSurge(*t.d)), allowed)
	s.Line("currentPodCount", sizes(active), count)
	s.Line("deploymentReplicasToAdd", fmt.Sprintf("%d - %d", allowed, count), toAdd)
	switch {
	case toAdd > 0:
		sort.Sort(controller.ReplicaSetsBySizeNewer(active))
	case toAdd < 0:
		sort.Sort(controller.ReplicaSetsBySizeOlder(active))
	}
	target, added := make([]int32, len(active)), int32(0)
	for i, rs := range active {
		share := deploymentutil.GetReplicaSetProportion(silent, rs, *t.d, toAdd, added)
		s.Line(rs.Name, t.shareText(rs, toAdd, added), signed(share))
		target[i] = *rs.Spec.Replicas + share
		added += share
	}
	if leftover := toAdd - added; leftover != 0 && len(active) > 0 {
		s.Line(active[0].Name, fmt.Sprintf("is first and gets the remainder, %d - %d", toAdd, added), signed(leftover))
		target[0] = max(target[0]+leftover, 0)
	}
	t.because("%d - %d Pods = %s to share", allowed, count, signed(toAdd))
	sent := len(t.out.Requests)
	for i, rs := range active {
		if _, _, err := t.scale(rs, target[i], true); err != nil {
			return err
		}
	}
	switch {
	case len(t.out.Effects) > 0:
	case sent == len(t.out.Requests):
		t.say("nothing: the sizes of the ReplicaSets add up to the %d Pods that are allowed", allowed)
	default:
		t.say("no size changes: it only writes the new numbers to the annotations desired-replicas and max-replicas")
	}
	return nil
}

// shareText is like "8 x 18 / max-replicas 13 = 11.08, rounded 11, - 8".
func (t *syncModel) shareText(rs *appsv1.ReplicaSet, toAdd, added int32) string {
	size, replicas := *rs.Spec.Replicas, *t.d.Spec.Replicas
	if toAdd == 0 || toAdd == added {
		return "nothing left to share"
	}
	if replicas == 0 {
		return "spec.replicas is 0, so all of it"
	}
	most, before := replicas+deploymentutil.MaxSurge(*t.d), rs.Annotations[deploymentutil.MaxReplicasAnnotation]
	source, base := "max-replicas "+before, float64(0)
	if _, err := fmt.Sscan(before, &base); err != nil || base <= 0 {
		source, base = fmt.Sprintf("status.replicas %d", t.d.Status.Replicas), float64(t.d.Status.Replicas)
	}
	if base == 0 {
		return "no annotation max-replicas, and status.replicas 0"
	}
	exact := float64(size) * float64(most) / base
	text := fmt.Sprintf("%d x %d / %s = %.2f, rounded %.0f, - %d", size, most, source, exact, math.Round(exact), size)
	if change, left := int32(math.Round(exact))-size, toAdd-added; change > left && toAdd > 0 || change < left && toAdd < 0 {
		text += fmt.Sprintf(", but only %+d are left", left)
	}
	return text
}

// signed is like "+4", "-1" and "0".
func signed(n int32) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", n)
}
