// Package relation says how objects fit together: a Pod that is Ready is on a node that reports, a bound claim and its volume name
// each other, two Services do not share a cluster IP.
//
// The goals of package liveness compare one object with its own spec. They overlook what shows only between objects: each object by
// itself looks as it should, and together they are wrong. A node that died while its manager crashed, for example, has the taint that
// it should have, its Pods are Ready, and the Service lists them as ready. Only the sentence "a Pod that is Ready is on a node that
// reports" does not hold, and clients get no answer.
//
// A Relation is such a sentence, with the page of the Kubernetes documentation that supports it, and with the controller that makes it
// hold. It is true when the simulation is at rest, not at every instant: a Pod is Ready for 40 seconds on a node that has stopped to
// report. Package liveness makes a Goal of each relation, so runs, sweeps and "kubestep why" judge by all of them alike.
//
// Candidates for relations are mined: package mine looks at the ends of all shipped scenarios for what is always true there. Its file
// of decisions says which candidates are relations, and why the others are refused.
package relation
