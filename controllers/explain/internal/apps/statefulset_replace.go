//go:build !kubernetes_before_1_37

package apps

import (
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

const updateFunction = "updateStatefulSetAfterInvariantEstablished"

// replace deletes Pods of an old revision as long as no more than maxUnavailable Pods are unavailable. With Parallel, those that are
// unavailable themselves are deleted in any case, and first.
func (o *ordinals) replace(step *arithmetic.Step, partition int) {
	limit := o.maxUnavailable()
	step.Line("maxUnavailable", "", limit)
	var missing, deleted []string
	for i := len(o.replicas) - 1; i >= 0; i-- {
		if o.isUnavailable(o.replicas[i]) {
			missing = append(missing, o.name(i))
		}
	}
	step.Line("not available", arithmetic.Few(missing), len(missing))
	if !o.one {
		for i := len(o.replicas) - 1; i >= partition; i-- {
			if p := o.replicas[i]; o.isOld(p) && o.isUnavailable(p) {
				step.Line(p.Name, "has revision "+revisionOf(p)+" and is not available, so it is deleted", nil)
				deleted = append(deleted, p.Name)
			}
		}
	}
	left := limit - len(missing)
	for i := len(o.replicas) - 1; i >= partition && left > 0; i-- {
		if p := o.replicas[i]; o.isOld(p) && (o.one || !o.isUnavailable(p)) {
			step.Line(p.Name, "has revision "+revisionOf(p)+", so it is deleted", nil)
			deleted = append(deleted, p.Name)
			left--
		}
	}
	o.act("delete", "deletes", deleted)
	if len(deleted) == 0 && len(missing) > 0 {
		o.waits = "Pod " + missing[0] + ", which is not available"
	}
}

// maxUnavailable is the number of Pods that may be unavailable during an update: 1 by default, and never 0 (getStatefulSetMaxUnavailable).
func (o *ordinals) maxUnavailable() int {
	rolling := o.set.Spec.UpdateStrategy.RollingUpdate
	if rolling == nil || rolling.MaxUnavailable == nil {
		return 1
	}
	limit, err := intstr.GetScaledValueFromIntOrPercent(rolling.MaxUnavailable, len(o.replicas), false)
	if err != nil {
		return 1
	}
	return max(limit, 1)
}
