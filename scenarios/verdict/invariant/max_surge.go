package invariant

import "fmt"

// Example: 10 replicas, maxSurge 3. Sizes (new 5, old 8) sum up to 13, the most; with new 6 the invariant breaks.
var maxSurge = Invariant{
	Name:     "max-surge",
	Sentence: "A controller never sets the sizes of a Deployment's ReplicaSets to a sum of more than replicas + maxSurge.",
	Forgives: "The number of Pods: terminating ones do not count, and a slow client deletes old ones late. Sizes that a user " +
		"sets. Changes of the Deployment that were not in the controller's cache yet.",
	Upstream: "NewRSNewReplicas in pkg/controller/deployment/util/deployment_util.go",
	watch:    func(r *Run) watcher { return &surge{run: r, rollouts: newRollouts()} },
}

type surge struct {
	passive
	run *Run
	rollouts
	looked bool
}

func (s *surge) hasLooked() bool { return s.looked }

func (s *surge) change(c *change) {
	d, set := s.follow(c, c.Revision)
	if set == nil || set.size < set.before || !s.run.isChosen(c) {
		return
	}
	s.looked = true
	var most int32
	for _, p := range d.promises.Until(s.run.views.Of("deployments.apps", c.By)) {
		most = max(most, p.most)
	}
	if sum := d.sum(); sum > most {
		s.run.broken(c.Seq, fmt.Sprintf(
			"%s set the sizes of the ReplicaSets of Deployment %s/%s to a sum of %d, more than replicas + maxSurge = %d",
			c.By.Actor, d.deployment.Namespace, d.deployment.Name, sum, most))
	}
}
