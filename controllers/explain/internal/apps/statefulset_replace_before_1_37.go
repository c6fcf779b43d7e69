//go:build kubernetes_before_1_37

package apps

import "github.com/kubestep/kubestep/controllers/explain/arithmetic"

const updateFunction = "updateStatefulSet"

// replace deletes the Pod with the highest ordinal that has an old revision, if all above it are available.
func (o *ordinals) replace(step *arithmetic.Step, partition int) {
	for i := len(o.replicas) - 1; i >= partition; i-- {
		p := o.replicas[i]
		switch {
		case o.isOld(p):
			step.Line(p.Name, "has revision "+revisionOf(p)+", so it is deleted", nil)
			o.act("delete", "deletes", []string{p.Name})
			return
		case o.isUnavailable(p):
			step.Line(o.name(i), "is not available", nil)
			o.waits = "Pod " + o.name(i) + ", which is not available"
			return
		}
	}
}
