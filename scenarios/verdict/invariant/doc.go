// Package invariant implements rules that every run checks, whatever its scenario is about: a rollout stays within its
// bounds, a disruption budget is respected, every queue comes to rest. A scenario's own checks cover what its author
// thought of; these cover the rest.
//
// Each invariant has a file: the sentence, where Kubernetes guarantees it, and the code that checks it. It receives
// every record and every write, so its cost is proportional to the writes of its kind, and it never lists the store.
//
// The difficulty is to avoid false alarms. Controllers work on caches, and lag by design; a real cluster may briefly
// have more Pods than it should, and that is not a bug. So an invariant compares what a controller decided with what
// its cache held (Views), counts only the controller's own decisions, and forgives what Kubernetes documents.
//
// To add an invariant, follow docs/contributing/add-an-invariant.md: a file, a word in All, and a scenario that breaks it.
package invariant
