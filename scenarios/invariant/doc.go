// Package invariant holds what every run must keep, whatever its scenario is about: a rollout its bounds, a
// disruption budget its number, a queue its peace in the end. A scenario's own checks say what its author thought
// of; these find what nobody thought of.
//
// Each invariant is a file of its own: the sentence, where Kubernetes promises it, and the code that looks. It is
// shown every record and every write as they come, so it costs what the writes of its own kind cost, and never
// lists the store.
//
// The hard part is not to cry wolf. Controllers work on caches, and are late by design; a real cluster has more Pods
// than it should for a moment, and that is not a bug. So an invariant judges what a controller decided by what its
// cache held (Views), counts only what the controller chose itself, and forgives what Kubernetes documents.
package invariant
