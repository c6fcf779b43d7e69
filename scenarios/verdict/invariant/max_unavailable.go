package invariant

import "fmt"

// Example: 10 replicas, maxUnavailable 2, and 8 of the old ones are available: a step from old 8 to old 7 breaks it.
var maxUnavailable = Invariant{
	Name: "max-unavailable",
	Sentence: "A controller that scales down a ReplicaSet of a Deployment leaves at least replicas - maxUnavailable available Pods, " +
		"unless there already were fewer.",
	Forgives: "Pods lost for other reasons, and Pods that were still available in the controller's cache. Sizes that a user sets.",
	Upstream: "reconcileOldReplicaSets in pkg/controller/deployment/rolling.go",
	watch:    func(r *Run) watcher { return &unavailable{run: r, rollouts: newRollouts()} },
}

type unavailable struct {
	passive
	run *Run
	rollouts
	looked bool
}

func (u *unavailable) hasLooked() bool { return u.looked }

func (u *unavailable) change(c *change) {
	d, set := u.follow(c, c.Revision)
	if set == nil || set.size > set.before || !u.run.isChosen(c) {
		return
	}
	u.looked = true
	least := int32(-1)
	for _, p := range d.promises.Until(u.run.views.Of("deployments.apps", c.By)) {
		if least < 0 || p.least < least {
			least = p.least
		}
	}
	// Which of a ReplicaSet's Pods go is not the Deployment controller's to say; those that are not available go first.
	seen := u.run.views.Of("replicasets.apps", c.By)
	var left, before int32
	for _, other := range d.sets {
		var available int32
		for _, n := range other.available.In(seen) {
			available = max(available, n)
		}
		left += min(other.size, available)
		if other == set {
			before += min(other.before, available)
		} else {
			before += min(other.size, available)
		}
	}
	if left < least && left < before {
		u.run.broken(c.Seq, fmt.Sprintf(
			"%s scaled down a ReplicaSet of Deployment %s/%s and left %d available Pods, fewer than replicas - maxUnavailable = %d",
			c.By.Actor, d.deployment.Namespace, d.deployment.Name, left, least))
	}
}
