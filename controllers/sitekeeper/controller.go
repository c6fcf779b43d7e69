package sitekeeper

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
)

// Name is the name of the controller: of its queue, and of the source of its Events.
const Name = "sitekeeper"

// workers is how many Sites are worked on at the same time. The queue never gives one Site to two workers, so that a sync
// need not think of another one of the same Site.
const workers = 2

// Controller keeps the page and the host of each Site. Its handlers, queue and workers are those of podcounter; what is new
// is that all keys are those of one kind, and that the events of other kinds lead to them.
type Controller struct {
	client     kubernetes.Interface
	clientset  *Clientset
	sites      siteLister
	configMaps corelisters.ConfigMapLister
	synced     []cache.InformerSynced
	queue      workqueue.TypedRateLimitingInterface[cache.ObjectName]
	recorder   record.EventRecorder

	// reconcile works on a Site that is there and not deleted. It is a field for mistakes.go; Kubernetes' own controllers
	// have such a field for their tests.
	reconcile func(context.Context, *Site) error
}

// NewController builds the controller and registers its handlers. It starts nothing.
func NewController(
	client kubernetes.Interface, clientset *Clientset, sites cache.SharedIndexInformer, configMaps coreinformers.ConfigMapInformer,
	recorder record.EventRecorder,
) (*Controller, error) {
	c := &Controller{
		client: client, clientset: clientset, recorder: recorder,
		sites: newSiteLister(sites), configMaps: configMaps.Lister(),
		synced: []cache.InformerSynced{sites.HasSynced, configMaps.Informer().HasSynced},
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName](),
			workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: Name},
		),
	}
	c.reconcile = c.keepSite
	if _, err := sites.AddEventHandler(handler(c.enqueue)); err != nil {
		return nil, err
	}
	if _, err := configMaps.Informer().AddEventHandler(handler(c.configMapChanged)); err != nil {
		return nil, err
	}
	return c, nil
}

// handler calls changed for each event. After a missed deletion the informer hands out a tombstone in the place of the
// object; the object in it is the last that the cache had.
func handler(changed func(metav1.Object)) cache.ResourceEventHandler {
	object := func(obj any) {
		if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj = tombstone.Obj
		}
		if object, ok := obj.(metav1.Object); ok {
			changed(object)
		}
	}
	return cache.ResourceEventHandlerFuncs{AddFunc: object, UpdateFunc: func(_, obj any) { object(obj) }, DeleteFunc: object}
}

func (c *Controller) enqueue(site metav1.Object) { c.queue.Add(cache.MetaObjectToName(site)) }

// configMapChanged has the Sites looked at that a ConfigMap is about: its owner, if it is a page, and all if it is the table of
// hosts, since one of them may wait for a host that is now free. So a page that somebody deletes or edits is
// put right, and no Site has to ask again and again.
func (c *Controller) configMapChanged(configMap metav1.Object) {
	if configMap.GetNamespace() == HostsNamespace && configMap.GetName() == HostsName {
		sites, err := c.sites.List(labels.Everything())
		if err != nil {
			utilruntime.HandleError(err)
			return
		}
		for _, site := range sites {
			c.enqueue(site)
		}
		return
	}
	// The controller reference names a kind, a name and a uid. An owner is always in the namespace of what it owns.
	if owner := metav1.GetControllerOf(configMap); owner != nil && owner.Kind == "Site" {
		c.queue.Add(cache.ObjectName{Namespace: configMap.GetNamespace(), Name: owner.Name})
	}
}

// Run works until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	defer utilruntime.HandleCrash()
	var running sync.WaitGroup
	// Without this a Site whose page is not in the cache yet would look like one without a page.
	if cache.WaitForCacheSync(ctx.Done(), c.synced...) {
		for range workers {
			running.Go(func() { wait.UntilWithContext(ctx, c.work, time.Second) })
		}
	}
	<-ctx.Done()
	c.queue.ShutDown()
	running.Wait()
}

// work takes keys until the queue is shut down.
func (c *Controller) work(ctx context.Context) {
	for {
		key, shutdown := c.queue.Get()
		if shutdown {
			return
		}
		if err := c.sync(ctx, key); err != nil {
			utilruntime.HandleErrorWithContext(ctx, err, "Sync failed, will be tried again", "key", key)
			c.queue.AddRateLimited(key)
		} else {
			c.queue.Forget(key)
		}
		c.queue.Done(key)
	}
}

// record records an Event about a Site.
func (c *Controller) record(site *Site, condition metav1.Condition) {
	kind := corev1.EventTypeNormal
	if condition.Status != metav1.ConditionTrue {
		kind = corev1.EventTypeWarning
	}
	c.recorder.Event(site, kind, condition.Reason, condition.Message)
}
