// Package workqueue lets a simulation observe client-go's work queues.
//
// Client-go reports what happens in a named queue to a metrics provider, and accepts one provider per process: the
// first. kube-controller-manager's own packages set one for Prometheus in an init function. This package must be
// earlier. Go initializes packages in the order of their import paths, as soon as all their imports are initialized (Go
// specification, "Program initialization"); this one imports only client-go's workqueue, and its path sorts before
// k8s.io, so it is always first.
package workqueue
