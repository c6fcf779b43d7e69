// Package podcounter is a controller written from scratch, small enough to be read in one go.
//
// It counts the pods of the cluster, writes the number to a label of each control-plane node, and records
// an Event on every pod that it counted:
//
//	$ kubectl get nodes -L podcounter.kubestep.dev/pods
//	NAME      STATUS   ROLES           AGE   VERSION   PODS
//	control   Ready    control-plane   8d    v1.36.3   12
//
// run.go is the controller manager: what has to be set up around a controller, and in which order.
// controller.go is the controller: handlers that fill a queue, and a worker that empties it.
//
// It is the first part of docs/howto/write-a-controller.md; package sitekeeper is the third.
//
// Nothing here depends on kubestep. The package imports only client-go and apimachinery, and runs in a real cluster as
// in a simulation; docs/howto/bring-your-own-controller.md has a main function for that.
package podcounter

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
)

// resync is how often the informers send their caches to the handlers again. Nothing depends on it: it is a safety net
// for a handler that missed something.
const resync = 12 * time.Hour

// Options configure Run.
type Options struct {
	// Informers is the factory that the caches come from; nil means one of client-go's own. A program that runs several
	// controllers uses one factory for them, so that they share caches and watches.
	Informers informers.SharedInformerFactory
}

// Context holds what controllers need to start.
type Context struct {
	Client    kubernetes.Interface
	Informers informers.SharedInformerFactory
	Recorder  record.EventRecorder
}

// Run is the controller manager. It returns when ctx has ended and everything that it started has ended.
func Run(ctx context.Context, client kubernetes.Interface, options Options) error {
	// Events take a way of their own: the recorder only puts them into a channel, and the broadcaster sends
	// them in the background. So a slow API server does not hold up a sync, and an Event may be lost.
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})

	factory := options.Informers
	if factory == nil {
		factory = informers.NewSharedInformerFactory(client, resync)
	}
	wait, err := StartControllers(ctx.Done(), Context{
		Client: client, Informers: factory,
		Recorder: broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: Name}),
	})
	if err != nil {
		return err
	}
	<-ctx.Done()
	wait()
	factory.Shutdown()
	return nil
}

// StartControllers builds all controllers, starts the informers and then the controllers. It does not wait; wait does,
// until everything has ended after stop was closed.
func StartControllers(stop <-chan struct{}, c Context) (wait func(), err error) {
	// First build: a controller asks the factory for the informers that it needs, and a factory starts
	// only those that it was asked for.
	counter, err := NewController(c.Client, c.Informers.Core().V1().Pods(), c.Informers.Core().V1().Nodes(), c.Recorder)
	if err != nil {
		return nil, err
	}
	// Then start the informers: they list and watch from now on.
	c.Informers.Start(stop)
	// Last, run the controller. It waits itself until its caches are filled.
	done := make(chan struct{})
	go func() {
		defer close(done)
		counter.Run(stop)
	}()
	return func() { <-done }, nil
}
