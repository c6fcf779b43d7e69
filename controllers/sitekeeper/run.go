// Package sitekeeper is a controller with a kind of its own, small enough to be read in one go.
//
// A Site is a page that is served at a host:
//
//	$ kubectl get sites
//	NAME   HOST               READY   REASON      AGE
//	shop   shop.example.com   True    Served      8d
//	sale   shop.example.com   False   HostTaken   2m
//
// The controller keeps two things for each Site: a ConfigMap with the page, which belongs to the Site, and an entry in a table of
// hosts, which many Sites share. The garbage collector deletes the one with the Site. The other is cleaned up by the
// controller, which a finalizer makes sure of.
//
// It is the third part of docs/howto/write-a-controller.md, after podcounter. Read the files in this order:
//
//	types.go, definition.yaml   the kind, as Go and as the API server see it
//	deepcopy.go, client.go      what tools generate otherwise: copies, a client, an informer, a lister
//	controller.go               handlers, queue and workers
//	sync.go                     what is done for a Site, and in which order
//	page.go, host.go            what a Site owns, and what it uses
//	mistakes.go                 two ways to do it wrong
//
// Nothing here depends on kubestep.
package sitekeeper

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
)

// resync is how often the informers send their caches to the handlers again.
const resync = 12 * time.Hour

// Options configure Run.
type Options struct {
	// Informers is the factory that the caches of Kubernetes' kinds come from; nil means one of client-go's own.
	Informers informers.SharedInformerFactory
	// NewInformer makes the informer of Sites; nil means cache.NewSharedIndexInformer.
	NewInformer NewInformer
	// Mistake is the name of one of Mistakes, for lessons; "" means none.
	Mistake string
}

// Run runs the controller until ctx has ended and everything that it started has ended. The definition must be established.
func Run(ctx context.Context, cluster *rest.Config, options Options) error {
	client, err := kubernetes.NewForConfig(cluster)
	if err != nil {
		return err
	}
	clientset, err := NewForConfig(cluster)
	if err != nil {
		return err
	}
	factory := options.Informers
	if factory == nil {
		factory = informers.NewSharedInformerFactory(client, resync)
	}
	newInformer := options.NewInformer
	if newInformer == nil {
		newInformer = cache.NewSharedIndexInformer
	}
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})

	sites := newSiteInformer(clientset, newInformer, resync)
	controller, err := NewController(client, clientset, sites, factory.Core().V1().ConfigMaps(),
		broadcaster.NewRecorder(Scheme, corev1.EventSource{Component: Name}))
	if err != nil {
		return err
	}
	if err := controller.make(options.Mistake); err != nil {
		return err
	}
	// As in podcounter: build, then start the informers, then run.
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	done := make(chan struct{})
	go func() {
		defer close(done)
		sites.RunWithContext(ctx)
	}()
	controller.Run(ctx)
	<-done
	return nil
}

// make lets the controller make a mistake.
func (c *Controller) make(mistake string) error {
	if mistake == "" {
		return nil
	}
	reconcile, known := Mistakes[mistake]
	if !known {
		return fmt.Errorf("unknown mistake %q", mistake)
	}
	c.reconcile = func(ctx context.Context, site *Site) error { return reconcile(c, ctx, site) }
	return nil
}
