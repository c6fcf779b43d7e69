//go:build linux && !kubernetes_before_1_36

package podaccess

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"

	"google.golang.org/grpc/test/bufconn"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericrest "k8s.io/apiserver/pkg/registry/generic/rest"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/kubelet/client"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/pod/rest"
	"k8s.io/streaming/pkg/httpstream/wsstream"
	"k8s.io/utils/ptr"
)

// buffered is how many bytes are under way between the API server and a kubelet.
const buffered = 64 << 10

// Proxy connects clients with the kubelets of a simulation, as a kube-apiserver. It implements client.ConnectionInfoGetter.
type Proxy struct {
	world World

	mu        sync.Mutex
	listeners map[string]*bufconn.Listener
}

// New returns a Proxy.
func New(world World) *Proxy { return &Proxy{world: world, listeners: map[string]*bufconn.Listener{}} }

// Serve answers a request. refuse writes an error.
func (p *Proxy) Serve(
	w http.ResponseWriter, r *http.Request, pods registry.ResourceGetter, to Target, refuse func(http.ResponseWriter, error),
) {
	defer p.world.Aside()()
	if r.ContentLength == 0 {
		r.Body = http.NoBody
	}
	ctx := request.WithNamespace(r.Context(), to.Namespace)
	// Upstream asks here whether a client that upgrades a GET may create: the session has asked that before.
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true, Verb: "create", APIVersion: "v1", Resource: "pods", Subresource: to.Subresource,
		Namespace: to.Namespace, Name: to.Pod,
	})
	answers := responder{func(err error) { refuse(w, err) }}
	var handler http.Handler
	var err error
	switch query := r.URL.Query(); to.Subresource {
	case "log":
		err = p.log(ctx, w, r, pods, to.Pod)
	case "exec":
		options := &core.PodExecOptions{}
		if err = Options(query, options); err == nil {
			handler, err = (&rest.ExecREST{Store: pods, KubeletConn: p}).Connect(ctx, to.Pod, options, answers)
		}
	case "attach":
		options := &core.PodAttachOptions{}
		if err = Options(query, options); err == nil {
			handler, err = (&rest.AttachREST{Store: pods, KubeletConn: p}).Connect(ctx, to.Pod, options, answers)
		}
	case "portforward":
		options := &core.PodPortForwardOptions{}
		if err = Options(query, options); err == nil {
			handler, err = (&rest.PortForwardREST{Store: pods, KubeletConn: p}).Connect(ctx, to.Pod, options, answers)
		}
	}
	if err != nil {
		refuse(w, err)
	} else if handler != nil {
		handler.ServeHTTP(w, r.WithContext(ctx))
	}
}

// responder implements rest.Responder.
type responder struct{ refuse func(error) }

// Object implements rest.Responder. Nothing responds with an object.
func (r responder) Object(int, runtime.Object) {}

// Error implements rest.Responder.
func (r responder) Error(err error) { r.refuse(err) }

// log answers as LogREST in pkg/registry/core/pod/rest, which only works with a store of its own.
func (p *Proxy) log(ctx context.Context, w http.ResponseWriter, r *http.Request, pods registry.ResourceGetter, name string) error {
	options := &core.PodLogOptions{}
	if err := Options(r.URL.Query(), options); err != nil {
		return err
	}
	options.Stream = ptr.To(ptr.Deref(options.Stream, core.LogStreamAll))
	if errs := validation.ValidatePodLogOptions(options, true); len(errs) > 0 {
		return apierrors.NewInvalid(core.Kind("PodLogOptions"), name, errs)
	}
	location, transport, err := registry.LogLocation(ctx, pods, p, name, options)
	if err != nil {
		return err
	}
	if location == nil {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	location.Scheme = "https" // which an error names; upgrades would encrypt what has no network below it
	streamer := &genericrest.LocationStreamer{
		Location: location, Transport: transport, ContentType: "text/plain", Flush: options.Follow,
		ResponseChecker: genericrest.NewGenericHttpResponseChecker(core.Resource("pods/log"), name),
		RedirectChecker: genericrest.PreventRedirects,
	}
	stream, flush, contentType, err := streamer.InputStream(ctx, "", "")
	if err != nil {
		return err
	}
	defer stream.Close()
	if wsstream.IsWebSocketRequest(r) { // as StreamObject in k8s.io/apiserver/pkg/endpoints/handlers/responsewriters
		return wsstream.NewReader(stream, true, wsstream.NewDefaultReaderProtocols()).Copy(w, r)
	}
	w.Header().Set("Content-Type", contentType)
	out := io.Writer(w)
	if flush {
		w.WriteHeader(http.StatusOK)
		out = flushed{w, http.NewResponseController(w)}
		_ = out.(flushed).controller.Flush()
	}
	_, _ = io.Copy(out, stream)
	return nil
}

// flushed sends what is written at once.
type flushed struct {
	io.Writer
	controller *http.ResponseController
}

// Write implements io.Writer.
func (f flushed) Write(data []byte) (int, error) {
	n, err := f.Writer.Write(data)
	if err == nil {
		err = f.controller.Flush()
	}
	return n, err
}

// GetConnectionInfo implements client.ConnectionInfoGetter.
func (p *Proxy) GetConnectionInfo(_ context.Context, name types.NodeName) (*client.ConnectionInfo, error) {
	out := &client.ConnectionInfo{Scheme: "http", Hostname: string(name)}
	found := false
	err := p.world.Look(func() {
		node := p.world.Node(string(name))
		if found = node != nil; !found {
			return
		}
		out.Port = strconv.Itoa(int(node.Status.DaemonEndpoints.KubeletEndpoint.Port))
		for _, address := range node.Status.Addresses {
			if address.Type == corev1.NodeInternalIP {
				out.Hostname = address.Address
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, apierrors.NewNotFound(corev1.Resource("nodes"), string(name))
	}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		return p.dial(ctx, string(name), network, address)
	}
	out.Transport = &http.Transport{DialContext: dial, DialTLSContext: dial, DisableKeepAlives: true, DisableCompression: true}
	return out, nil
}

// dial connects to the server of a node's kubelet, if it listens.
func (p *Proxy) dial(ctx context.Context, node, network, address string) (net.Conn, error) {
	listens := false
	if err := p.world.Look(func() { _, listens = p.world.Kubelet(node) }); err != nil {
		return nil, err
	}
	if !listens {
		at, _ := net.ResolveTCPAddr(network, address)
		return nil, &net.OpError{Op: "dial", Net: network, Addr: at, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	}
	return p.listener(node).DialContext(ctx)
}

// listener is where the server of a node's kubelet listens, until the simulation ends.
func (p *Proxy) listener(node string) *bufconn.Listener {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listeners[node] == nil {
		listener := bufconn.Listen(buffered)
		p.listeners[node] = listener
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.kubelet(node, w, r) })}
		go func() { _ = server.Serve(listener) }()
		go func() {
			<-p.world.Ended()
			_ = server.Close()
		}()
	}
	return p.listeners[node]
}
