// Package snapshot turns a dump of a cluster, as kubectl get -o yaml prints it, into a scenario that begins in
// that state.
//
// What the scenario needs is kept as it is: specs, statuses, uids, owner references, labels, times. What would only
// stand in the way is left out, and the report names it: the bookkeeping of API server and kubectl, kinds that the
// simulation does not have, Leases, and the values of Secrets and ConfigMaps, which nobody should find in a file that
// is passed around. What is missing is made, and named as well: the Namespaces and Nodes that objects speak of, and
// uids. Events are not state; what they said is told in the scenario's description.
package snapshot
