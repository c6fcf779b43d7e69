package apiserver

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/testing"

	"github.com/kubestep/kubestep/sim/apiserver/internal/renamed"
)

// Transport carries the requests of one client to the server.
type Transport interface {
	// Do executes every verb but watch, and may block.
	Do(Request) (runtime.Object, error)
	// Watch opens a watch.
	Watch(Request) (watch.Interface, error)
}

// Clientset is client-go's fake clientset with the object tracker taken out: each action becomes a
// Request on a Transport.
type Clientset struct {
	*fake.Clientset
	wired func() kubernetes.Interface
}

var _ kubernetes.Interface = &Clientset{}

// NewClientset returns a typed client whose requests travel over transport. What a fake clientset cannot
// do, discovery and what others build on a RESTClient, is left to the clientset that wired returns; wired
// may be nil.
func NewClientset(transport Transport, wired func() kubernetes.Interface) *Clientset {
	c := &Clientset{Clientset: &fake.Clientset{}, wired: wired}
	c.AddReactor("*", "*", func(action testing.Action) (bool, runtime.Object, error) {
		req, err := requestOf(action)
		if err != nil {
			return true, nil, err
		}
		defer c.unlocked()()
		out, err := transport.Do(req)
		return true, out, err
	})
	c.AddWatchReactor("*", func(action testing.Action) (bool, watch.Interface, error) {
		req, err := requestOf(action)
		if err != nil {
			return true, nil, err
		}
		defer c.unlocked()()
		w, err := transport.Watch(req)
		return true, w, err
	})
	return c
}

// unlocked releases the clientset's lock while a request is under way and returns the function that
// takes it again. testing.Fake holds it during a reaction, and a goroutine that waits for a mutex is not
// durably blocked: a second request of the same client would stop virtual time. It also drops the
// clientset's memory of actions, which nobody reads.
func (c *Clientset) unlocked() (relock func()) {
	c.Unlock()
	c.ClearActions()
	return c.Lock
}

// Discovery implements kubernetes.Interface.
func (c *Clientset) Discovery() renamed.Discovery {
	if c.wired == nil {
		return c.Clientset.Discovery()
	}
	return c.wired().Discovery()
}

// CoreV1 implements kubernetes.Interface.
func (c *Clientset) CoreV1() corev1.CoreV1Interface {
	if c.wired == nil {
		return c.Clientset.CoreV1()
	}
	return coreClient{c.Clientset.CoreV1(), c.wired}
}

// coreClient has the RESTClient that a fake clientset lacks. The node lifecycle controller sends its Events
// through it.
type coreClient struct {
	corev1.CoreV1Interface
	wired func() kubernetes.Interface
}

// RESTClient implements corev1.CoreV1Interface.
func (c coreClient) RESTClient() rest.Interface { return c.wired().CoreV1().RESTClient() }

// requestOf translates an action of a fake client.
func requestOf(action testing.Action) (Request, error) {
	req := Request{
		Verb: action.GetVerb(), Resource: action.GetResource(),
		Subresource: action.GetSubresource(), Namespace: action.GetNamespace(),
	}
	switch a := action.(type) {
	case testing.GetActionImpl:
		req.Name, req.GetOptions = a.Name, a.GetOptions
	case testing.ListActionImpl:
		req.ListOptions = a.ListOptions
	case testing.WatchActionImpl:
		req.ListOptions = a.ListOptions
	case testing.CreateActionImpl:
		req.Name, req.Object, req.CreateOptions = a.Name, a.Object, a.CreateOptions
		// The fake clientset files Namespaces().Finalize under create; on the wire it is a PUT.
		if req.Resource.Resource == "namespaces" && req.Subresource == "finalize" {
			req.Verb = "update"
		}
	case testing.UpdateActionImpl:
		req.Object, req.UpdateOptions = a.Object, a.UpdateOptions
	case testing.PatchActionImpl:
		req.Name, req.Patch, req.PatchType, req.PatchOptions = a.Name, a.Patch, a.PatchType, a.PatchOptions
	case testing.DeleteActionImpl:
		req.Name, req.DeleteOptions = a.Name, a.DeleteOptions
	case testing.DeleteCollectionActionImpl:
		req.Verb, req.DeleteOptions, req.ListOptions = "deletecollection", a.DeleteOptions, a.ListOptions
	default:
		return req, fmt.Errorf("client action %T (%s %s) is not simulated", action, req.Verb, req.Path())
	}
	return req, nil
}

// direct is a Transport without a wire, for the calls that the server makes to itself.
type direct struct {
	server *Server
	actor  string
}

// Do implements Transport.
func (d direct) Do(req Request) (runtime.Object, error) {
	req.Actor = d.actor
	return d.server.Do(req)
}

// Watch implements Transport.
func (d direct) Watch(req Request) (watch.Interface, error) {
	return nil, fmt.Errorf("%s watches %s: the server does not watch itself", d.actor, req.Path())
}
