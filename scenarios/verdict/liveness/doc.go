// Package liveness says what stands still: an object that is not as its spec wants it, although nothing keeps its
// controller from acting.
//
// Safety is what never happens: too many Pods, two Pods of one name. Package invariant watches it write by write. Liveness
// is what happens at last: a rollout completes, a deleted object is removed. Whether it does can be said when a run ends,
// by three questions about each object:
//
//   - Is it in its desired state? A Goal answers that for one kind, with upstream's own functions where they are exported.
//   - If not, does it wait for something outside its controller: a Pod that is not Ready, a node that does not
//     answer, a quota? Then nobody is to blame, and the Lack says what it waits for.
//   - If neither, its controller should act, and does not: the object is stuck.
//
// An object often waits for another one: a Deployment for its ReplicaSet, that for a Pod. Each Goal looks at its own
// kind only and names the next object, so only the object whose controller has to act is reported.
//
// The questions make sense only in a simulation that is at rest, with no faults that still act. The caller checks that.
//
// To add a goal, follow docs/contributing/add-a-goal.md: a file, a word in Goals, and a script in testdata.
package liveness
