// Package snapshot converts a dump of a cluster, as kubectl get -o yaml prints it, to a scenario that begins in that
// state.
//
// What the scenario needs is kept: specs, statuses, uids, owner references, labels, times. The rest is omitted, and the
// report lists it: the bookkeeping of API server and kubectl, kinds that the simulation does not have, Leases, and the
// values of Secrets and ConfigMaps, which must not end up in a shared file. Missing objects are created, and listed as
// well: the Namespaces and Nodes that objects refer to, and uids. Events are not state; the scenario's description
// contains their messages.
//
// A dump of an incident contradicts itself: an object is there that should have been removed, a Pod is on a node that no
// longer answers, an owner is missing. These contradictions are what the incident is about, so they are not healed but kept,
// as states of the simulated cluster, and reported.
package snapshot
