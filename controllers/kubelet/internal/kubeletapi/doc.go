// Package kubeletapi has what upstream's kubelet, and what it uses of other modules, have in other places or forms in other versions of
// Kubernetes, where all that kubestep does with it is the same.
package kubeletapi
