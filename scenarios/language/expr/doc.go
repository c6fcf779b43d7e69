// Package expr implements the language of a scenario's conditions: when a step happens, what a wait waits for, what a
// check requires.
//
// The language is CEL, which Kubernetes itself uses for validation rules and admission policies:
//
//	deployment('web').status.availableReplicas >= 8
//	pods('app=web').all(p, ready(p))
//	now > duration('30s') && size(events('ScalingReplicaSet')) == 2
//
// A condition reads two things, both through World: the current objects in the cluster, and the records of the trace so
// far. It changes neither, and its result depends only on them.
//
// # Phases
//
//	Env        has the functions and the types; built once
//	Compile    parses, checks types, evaluates literal arguments: it finds typos, with their positions
//	Condition  is evaluated as often as the simulation changes
//	Explain    evaluates once more and returns the values that decided the result
//
// # Objects
//
// The fields of an object are those of its Go type, under their JSON names. Go values are read in place, by reflection;
// nothing is converted before it is used. Three rules follow from the types:
//
//   - A number, a string, a bool or a struct is always there. status.availableReplicas of a Deployment
//     that no controller has seen reads 0, though its JSON leaves the field out.
//   - A pointer, such as metadata.deletionTimestamp, may be unset: has() tells, and reading it is a
//     NotFoundError.
//   - A list or a map always reads as one; has() reports whether anything is in it.
//
// Kinds are those of a table (package kinds). One that has no Go type, such as a custom resource, is read as its JSON is:
// a field is there if it is written, and has no type before evaluation.
//
// # Missing values
//
// An object, a field, a key or a list item that a condition names may not exist yet. Evaluation then fails with a
// NotFoundError, which a waiting caller treats as "not yet". Any other error is an error in the condition.
//
// # Limits
//
// A condition ends: its loops, and the lists and strings that it builds, are bounded (bounds.go), in units
// of work, not of time, so they apply at the same place on every machine.
package expr
