package compare

import (
	"slices"

	"github.com/kubestep/kubestep/sim/cluster/glob"
)

// passing are resources whose objects say who is currently there.
var passing = map[string]bool{"leases.coordination.k8s.io": true}

// Exception is in what two runs of one scenario may end differently, although both are right. Times, addresses, uids and generated names
// are never compared.
type Exception struct {
	// Resource has the field; empty means every resource.
	Resource string
	// Role narrows it to the objects that play it; see FinalPair.
	Role Role
	// Namespace and Name narrow it, too; Name is a glob of names, or of their patterns.
	Namespace, Name string
	// Field is a glob of paths; empty means all fields, and how many objects there are.
	Field string
	// Trait narrows it to objects that have it.
	Trait Trait
	// Because is the reason, a sentence.
	Because string
	// AfterLoss means that it is one only for runs in which a node was lost, if only for a while, or a kubelet has rejected a Pod.
	AfterLoss bool
	// AfterRestart means that it is one only for runs in which a kubelet has started again, with its node or without it.
	AfterRestart bool
	// Fewer narrows it to objects of which there are fewer than without the faults.
	Fewer bool
	// Uncollected means that it is one only for runs without garbage-collector-controller.
	Uncollected bool
	// Remains means that the difference tells of what happened on the way. It is worth reading, and no reason for a verdict. Other
	// differences say nothing: every run draws or counts them for itself.
	Remains bool
}

// Exceptions are all of them; docs/reference/divergence.md is made from it.
var Exceptions = []Exception{
	{Resource: "leases.coordination.k8s.io", Because: "A Lease says who leads or lives at the moment."},
	{Field: "metadata.generation", Because: "It counts how often the spec was written."},
	{Field: "*bservedGeneration", Because: "It follows metadata.generation."},
	{Field: "spec.nodeName", Because: "The scheduler chooses among the nodes that suit a Pod."},
	{Resource: "endpointslices.discovery.k8s.io", Field: "endpoints*.nodeName", Because: "It is the node of a Pod."},
	{Resource: "endpoints", Field: "subsets*.nodeName", Because: "It is the node of a Pod."},
	{Resource: "services", Field: "*odePort", Because: "The API server draws it."},
	{
		Resource: "nodes", Field: "spec.taints*.timeAdded",
		Because: "It is the time of the taint, and missing if a user wrote the taint last.",
	},

	{
		Resource: "pods", Role: Finished, Remains: true,
		Because: "Pods that have ended stay for a while, and how many there are depends on retries and on lost nodes.",
	},
	{
		Resource: "jobs.batch", Field: "status.*", AfterLoss: true, Remains: true,
		Because: "Pods of a lost node, and those that a kubelet rejects, count as failed, against the limits of their Job, too.",
	},
	{
		Resource: "jobs.batch", Field: "status.failed", Remains: true,
		Because: "It counts retries, and Pods that were deleted with their Job's end.",
	},
	{
		Role: OfCronJob, Remains: true,
		Because: "Of the Jobs whose time passed while it could not start any, a CronJob starts at most one.",
	},
	{
		Resource: "pods", Trait: EndedAlike, Field: "status.*ontainerStatuses*", AfterRestart: true, Remains: true,
		Because: "A kubelet that starts again does not know the containers of a Pod that has ended, and reports them as unknown.",
	},
	{
		Resource: "pods", Trait: EndedAlike, Field: "status.conditions*", AfterRestart: true, Remains: true,
		Because: "A kubelet that starts again reports those of a Pod that has ended from its phase.",
	},
	{
		Resource: "pods", Trait: EndedAlike, Field: "status.*esources*", AfterRestart: true, Remains: true,
		Because: "A kubelet that starts again reports what a Pod that has ended requests, also of one that it rejected.",
	},
	{
		Resource: "pods", Trait: EndedAlike, Field: "status.*message", Remains: true,
		Because: "It says in words how a Pod ended, such as how much it used when its kubelet evicted it.",
	},
	{
		Resource: "pods", Trait: EndedAlike, Field: "status.*IP*", AfterRestart: true, Remains: true,
		Because: "A kubelet that starts again does not know the addresses of a Pod that has ended.",
	},
	{
		Resource: "resourceslices.resource.k8s.io", AfterRestart: true, Remains: true,
		Because: "A kubelet that starts again deletes those of its node. A driver publishes its own again, a step does not.",
	},
	{
		Resource: "pods", Trait: CrashLoops, Field: "status.*ontainerStatuses*.state.*", Remains: true,
		Because: "A container in a crash loop waits, or has just exited, depending on when the run ends.",
	},
	{Resource: "pods", Field: "status.*ontainerStatuses*.containerID", Remains: true, Because: "Each container has another one."},
	{Resource: "pods", Field: "status.*ontainerStatuses*.restartCount", Remains: true, Because: "It counts restarts, which faults cause."},
	{Resource: "pods", Field: "status.*ontainerStatuses*.lastState.*", Remains: true, Because: "It tells of the container before a restart."},
	{
		Field: "metadata.annotations.endpoints.kubernetes.io/last-change-trigger-time", Remains: true,
		Because: "It is the time of a change that the controller sees, and missing if it updates the endpoints for another reason.",
	},
	{Resource: "pods", Field: "status.nominatedNodeName", Remains: true, Because: "It is a hint of the scheduler from before the binding."},
	{
		Field: "metadata.annotations.deployment.kubernetes.io/revision*", Remains: true,
		Because: "Revisions count rollouts, and a controller that reads an outdated Deployment rolls back and out again.",
	},
	{
		Resource: "replicasets.apps", Trait: Old, Field: "metadata.annotations.deployment.kubernetes.io/*-replicas", Remains: true,
		Because: "They are the sizes of the Deployment when it scaled the ReplicaSet for the last time.",
	},
	{
		Trait: Orphaned, Uncollected: true, Remains: true,
		Because: "It is as it was when its owner was deleted, such as the EndpointSlices of a Service: nobody changes or removes it.",
	},
	{Resource: "controllerrevisions.apps", Field: "revision", Remains: true, Because: "Revisions count rollouts."},
	{
		Trait: Superseded, Fewer: true, Remains: true,
		Because: "A template that is replaced while its controller cannot write gets no revision.",
	},
	{Resource: "cronjobs.batch", Field: "status.*", Remains: true, Because: "It names the last Jobs."},
	{
		Resource: "horizontalpodautoscalers.autoscaling", Field: "status.conditions*", Remains: true,
		Because: "They tell of the last calculation, and which limit it met.",
	},
	{
		Resource: "horizontalpodautoscalers.autoscaling", Field: "status.lastScaleTime", Remains: true,
		Because: "There is none if the replicas were right from the start.",
	},
}

// Settled returns the objects whose last state differs in what was wanted or reached, and not only in how it was
// reached: without counters of versions, the node that a Pod happened to get, and the node port that a Service did. Times,
// addresses, uids and generated names are never compared.
func (r *Report) Settled() []FinalPair { return Settled(r.Final) }

// Settled returns the pairs that differ in what was wanted or reached; see Report.Settled.
func Settled(all []FinalPair) []FinalPair {
	return Except(all, slices.DeleteFunc(slices.Clone(Exceptions), func(e Exception) bool { return e.Remains }))
}

// ExceptionsTo are the Exceptions for a run.
func ExceptionsTo(c *Course) []Exception {
	return slices.DeleteFunc(slices.Clone(Exceptions), func(e Exception) bool {
		return e.AfterLoss && !c.LostPods() || e.AfterRestart && !c.RestartedKubelet() || e.Uncollected && c.collected
	})
}

// Except returns the pairs without what exceptions cover.
func Except(all []FinalPair, exceptions []Exception) (left []FinalPair) {
	for _, pair := range all {
		excepted := func(field string) bool {
			return slices.ContainsFunc(exceptions, func(e Exception) bool { return e.covers(pair, field) })
		}
		if excepted("") {
			continue
		}
		pair.Fields = slices.DeleteFunc(slices.Clone(pair.Fields), func(f FieldPair) bool { return excepted(f.Path) })
		if pair.A != pair.B || len(pair.Fields) > 0 {
			left = append(left, pair)
		}
	}
	return left
}

// covers reports whether an exception is about a field of objects, or about all of them if the field is empty.
func (e Exception) covers(pair FinalPair, field string) bool {
	switch {
	case e.Resource != "" && e.Resource != pair.Resource, e.Role != "" && e.Role != pair.Role,
		e.Trait != "" && !slices.Contains(pair.Traits, e.Trait), e.Fewer && pair.B >= pair.A,
		e.Namespace != "" && e.Namespace != pair.Namespace, e.Name != "" && !glob.Matches(e.Name, pair.Name):
		return false
	case e.Field == "" || field == "":
		return e.Field == field
	}
	return glob.Matches(e.Field, field)
}

// Common returns what differs in both lists, whose B is the same run: the counts of objects, and fields. A run that ends as one of several
// others does has nothing in common with all its comparisons.
func Common(one, other []FinalPair) (both []FinalPair) {
	for _, pair := range one {
		i := slices.IndexFunc(other, func(o FinalPair) bool { return o.Object == pair.Object && o.Role == pair.Role })
		if i < 0 {
			continue
		}
		if pair.A == pair.B && other[i].A == other[i].B {
			pair.Fields = slices.DeleteFunc(slices.Clone(pair.Fields), func(f FieldPair) bool {
				return !slices.ContainsFunc(other[i].Fields, func(o FieldPair) bool { return o.Path == f.Path })
			})
			if len(pair.Fields) == 0 {
				continue
			}
		}
		both = append(both, pair)
	}
	return both
}
