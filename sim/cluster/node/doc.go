// Package node simulates nodes and their kubelets.
//
// No container runs here. The behavior of a pod is data: the first rule that matches a pod says how long it takes to
// become Ready, whether it ever does, when it completes or fails, and how long it takes to stop. The status writes are
// those of a real control plane with kwok as its kubelet, one by one: containers waiting, then Running and Ready in one
// write, and at the end a deletion without grace period.
//
// Nodes renew their Lease and, every five minutes, their status, as kubelets do. In long runs they do that only if
// somebody watches Leases.
package node
