//go:build linux

package controllers

import (
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
)

// A kubelet takes the front of the server that controllers take, without a wire and its codecs: the HTTP handlers of a server cost as much
// as ten replicas on five nodes. What it builds on a RESTClient, the watch of its Pods, is an HTTP request of the same actor.

// kubeletClient lists with a watch, as the client of a real kubelet does. A fake clientset, and so that of the controllers, lists first.
type kubeletClient struct{ *apiserver.Clientset }

// IsWatchListSemanticsUnSupported is called by reflectors (client-go, util/watchlist).
func (kubeletClient) IsWatchListSemanticsUnSupported() bool { return false }

// client returns the client of a kubelet.
func (k *kubelets) client(p *process) kubernetes.Interface {
	actor := p.actor(KubeletName)
	config := &rest.Config{
		Host: network.Host, Transport: p.mortal(k.holding(k.sim.RoundTripper(actor))), QPS: unlimited, UserAgent: KubeletName,
	}
	wired := sync.OnceValue(func() kubernetes.Interface { return kubernetes.NewForConfigOrDie(config) })
	return kubeletClient{apiserver.NewClientset(kubeletTransport{k.sim.Transport(actor), p, k}, wired)}
}

// kubeletTransport ends the goroutines of a process with it, at its requests. After each response, a kubelet finds what is its own of
// upstream's plugin for CSI volumes.
type kubeletTransport struct {
	next     apiserver.Transport
	process  *process
	kubelets *kubelets
}

// Do implements apiserver.Transport.
func (t kubeletTransport) Do(req apiserver.Request) (runtime.Object, error) {
	t.process.leave()
	object, err := t.next.Do(req)
	t.returned()
	return object, err
}

// Watch implements apiserver.Transport.
func (t kubeletTransport) Watch(req apiserver.Request) (watch.Interface, error) {
	t.process.leave()
	stream, err := t.next.Watch(req)
	t.returned()
	return stream, err
}

func (t kubeletTransport) returned() {
	t.kubelets.hold()
	t.process.leave()
}

// holding is a RoundTripper that does the same for HTTP requests.
func (k *kubelets) holding(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(r)
		k.hold()
		return response, err
	})
}
