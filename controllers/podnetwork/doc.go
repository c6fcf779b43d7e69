// Package podnetwork is the network of the Pods whose containers run programs: each Pod reaches each other one by its address, and
// Services by their addresses and their names, as with a network plugin, kube-proxy and the DNS of a cluster.
//
// There are no packets: a connection is a pipe between two programs in memory. Where one to a Service leads is upstream's decision
// (package kubeproxy): which endpoints the kube-proxy of the node would choose, by readiness, termination, traffic policies and hints. Of
// the chosen ones the seed draws one, where kube-proxy's rules leave it to chance, and a client of a Service with session affinity keeps
// its own.
//
// What is left out: kube-proxy's delay, so a connection follows what the API server has, and network policies.
package podnetwork
