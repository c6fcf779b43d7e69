// Package workqueue lets a simulation see client-go's work queues at work.
//
// Client-go reports what happens in a named queue to a metrics provider, and accepts one provider per
// process: the first. kube-controller-manager's own packages bring one for Prometheus, which they set in an
// init function. This package must be earlier. Go initializes packages in the order of their import paths,
// as soon as all that they import is initialized (Go specification, "Program initialization"); this one
// imports nothing but client-go's workqueue, and its path sorts before k8s.io, so it always is.
package workqueue
