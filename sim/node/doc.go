// Package node stands in for nodes and their kubelets.
//
// No container runs here. How a pod lives is data: the first rule that matches a pod says how long it takes
// to become Ready, whether it ever does, when it completes or fails, and how long it takes to go. The status
// writes are those that a real control plane with kwok as its kubelet makes, one by one: containers
// waiting, then Running and Ready in one write, and at the end a deletion without grace.
//
// Nodes renew their Lease and, every five minutes, their status, as kubelets do.
package node
