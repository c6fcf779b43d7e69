package podcounter

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
)

const (
	// Name is the name of the controller: of its queue, and of the source of its Events.
	Name = "podcounter"
	// Label is the label with the number of pods.
	Label = "podcounter.kubestep.dev/pods"
	// controlPlane marks the nodes that get the label (kubeadm sets it).
	controlPlane = "node-role.kubernetes.io/control-plane"
)

// Controller counts pods. The queue decouples the handlers, which must be fast, from the worker, which may be slow and
// may fail. It does three things that a channel does not:
//   - a key that is added twice before the worker takes it is queued once: ten changes, one sync;
//   - a key is never handled by two workers at the same time;
//   - a key that failed is retried later, with a growing delay.
type Controller struct {
	client   kubernetes.Interface
	pods     corelisters.PodLister
	nodes    corelisters.NodeLister
	synced   []cache.InformerSynced
	queue    workqueue.TypedRateLimitingInterface[cache.ObjectName]
	recorder record.EventRecorder

	// counted are the pods that have their Event. It belongs to the one worker, so it needs no lock. It is
	// forgotten with the process: an Event may then be recorded a second time, which does no harm. State
	// that must outlive the process belongs into the API, as the label does.
	counted map[cache.ObjectName]types.UID
}

// NewController builds the controller and registers its handlers. It starts nothing.
func NewController(
	client kubernetes.Interface, pods coreinformers.PodInformer, nodes coreinformers.NodeInformer, recorder record.EventRecorder,
) (*Controller, error) {
	c := &Controller{
		client: client, recorder: recorder, counted: map[cache.ObjectName]types.UID{},
		pods: pods.Lister(), nodes: nodes.Lister(),
		synced: []cache.InformerSynced{pods.Informer().HasSynced, nodes.Informer().HasSynced},
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName](),
			// The name is what metrics, and kubestep, know the queue by.
			workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: Name},
		),
	}
	// The handlers only say which objects should be looked at. What happened - added, changed, gone - is left out of
	// the queue on purpose. The controller is level-triggered: a sync corrects the state for what is there now,
	// however it came to be, so an event that is missed, merged with others or delivered twice makes no difference.
	_, err := pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.podCameOrWent,
		UpdateFunc: func(_, obj any) { c.enqueue(obj) },
		DeleteFunc: c.podCameOrWent,
	})
	if err != nil {
		return nil, err
	}
	_, err = nodes.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, obj any) { c.enqueue(obj) },
		DeleteFunc: c.enqueue,
	})
	return c, err
}

// podCameOrWent has the pod looked at, and every node that the total is written to. Not the total itself:
// each node has its own key, so that the changes of many pods become one sync, and a node whose label cannot
// be written is tried again alone.
func (c *Controller) podCameOrWent(obj any) {
	c.enqueue(obj)
	nodes, err := c.nodes.List(labels.Everything())
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	for _, node := range nodes {
		if isControlPlane(node) {
			c.enqueue(node)
		}
	}
}

// enqueue adds an object's key. After a missed deletion the informer hands out a tombstone in the place of
// the object, which this key function understands.
func (c *Controller) enqueue(obj any) {
	key, err := cache.DeletionHandlingObjectToName(obj)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	c.queue.Add(key)
}

// Run works until stop is closed.
func (c *Controller) Run(stop <-chan struct{}) {
	defer utilruntime.HandleCrash()
	ctx, cancel := context.WithCancel(wait.ContextForChannel(stop))
	defer cancel()
	// Without this a half-filled cache would look like a cluster with few pods, and would be counted.
	if !cache.WaitForCacheSync(stop, c.synced...) {
		c.queue.ShutDown()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wait.UntilWithContext(ctx, c.work, time.Second)
	}()
	<-stop
	// A queue that is shut down takes no more keys, and sends the worker home when it is empty.
	c.queue.ShutDown()
	<-done
}

// work takes keys until the queue is shut down.
func (c *Controller) work(ctx context.Context) {
	for c.workOnce(ctx) {
	}
}

func (c *Controller) workOnce(ctx context.Context) bool {
	key, shutdown := c.queue.Get()
	if shutdown {
		return false
	}
	// Done lets the key be handled again; if it was added meanwhile, it now is in the queue.
	defer c.queue.Done(key)
	if err := c.sync(ctx, key); err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "Sync failed, will be tried again", "key", key)
		c.queue.AddRateLimited(key)
		return true
	}
	// Forget the failures, so that the next one waits for milliseconds again, not for minutes.
	c.queue.Forget(key)
	return true
}

// sync looks at one object. Nodes have no namespace, which tells the two kinds of keys apart.
func (c *Controller) sync(ctx context.Context, key cache.ObjectName) error {
	if key.Namespace == "" {
		return c.syncNode(ctx, key.Name)
	}
	return c.syncPod(key)
}

// syncPod records that a pod is counted.
//
// The pod is read again from the cache: the key may have waited in the queue, and the cache holds the newest that this
// process knows. Asking the API server instead would cost a request for each sync.
func (c *Controller) syncPod(key cache.ObjectName) error {
	pod, err := c.pods.Pods(key.Namespace).Get(key.Name)
	if apierrors.IsNotFound(err) {
		delete(c.counted, key)
		return nil
	}
	// The UID, since another pod may come back under the same name.
	if err != nil || c.counted[key] == pod.UID {
		return err
	}
	c.counted[key] = pod.UID
	c.recorder.Event(pod, corev1.EventTypeNormal, "Counted", "Counted by "+Name)
	return nil
}

// syncNode writes the total to a control-plane node, unless it is there already. So it may be called as
// often as one likes: only what is wrong is changed. That includes a label that somebody else changed,
// since the node's own events lead here, too.
func (c *Controller) syncNode(ctx context.Context, name string) error {
	node, err := c.nodes.Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if !isControlPlane(node) {
		return nil
	}
	pods, err := c.pods.List(labels.Everything())
	if err != nil {
		return err
	}
	total := strconv.Itoa(len(pods))
	if node.Labels[Label] == total {
		return nil
	}
	// A patch names the one field that is meant. An update would send the whole node as this cache knows
	// it: the kubelet writes the status every few minutes, and one of the two would get a conflict. Objects
	// in a cache are shared and must not be changed, which an update would need a copy for.
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]string{Label: total}}})
	if err != nil {
		return err
	}
	_, err = c.client.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: Name})
	if err != nil {
		return fmt.Errorf("labelling node %s: %w", name, err)
	}
	return nil
}

func isControlPlane(node *corev1.Node) bool {
	_, marked := node.Labels[controlPlane]
	return marked
}
