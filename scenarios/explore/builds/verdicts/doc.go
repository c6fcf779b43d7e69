// Package verdicts compares the verdicts of a sweep that several versions of Kubernetes make: the same seeds with the same faults, or the
// same places with one fault each.
//
// A scenario without checks has no answer that is right. Another version gives one: if a run is stuck with one version, and passes with
// another, one of them is wrong, or behaves differently on purpose. What all versions do is no difference, and is only counted.
package verdicts
