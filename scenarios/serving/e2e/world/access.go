package world

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"google.golang.org/grpc/test/bufconn"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/proxy"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/serving/internal/podaccess"
	"github.com/kubestep/kubestep/sim/network"
)

// access connects the suite with the containers of Pods, as kube-apiserver does. The suite is in the bubble, so that what it reads and
// runs there takes virtual time.
type access struct {
	live runner.Live
	// pods is a client whose requests are those of the suite.
	pods  kubernetes.Interface
	proxy *podaccess.Proxy
}

func newAccess(live runner.Live, transport http.RoundTripper) (*access, error) {
	client, err := kubernetes.NewForConfig(&rest.Config{Host: network.Host, Transport: transport, QPS: -1})
	if err != nil {
		return nil, err
	}
	a := &access{live: live, pods: client}
	a.proxy = podaccess.New(reach{live})
	// Clients that upgrade a connection open one of their own.
	listener := bufconn.Listen(buffered)
	live.ServeAt(address, listener.DialContext)
	go func() { _ = (&http.Server{Handler: a}).Serve(listener) }()
	return a, nil
}

// address is that of the API server in Kubeconfig, and buffered how many bytes are under way to it.
const (
	address  = "127.0.0.1:1"
	buffered = 64 << 10
)

// target is the subresource that a request connects to.
func target(r *http.Request) (to podaccess.Target, ok bool) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if len(parts) != 7 || parts[0] != "api" || parts[2] != "namespaces" || parts[4] != "pods" {
		return to, false
	}
	to = podaccess.Target{Namespace: parts[3], Pod: parts[5], Subresource: parts[6]}
	switch to.Subresource {
	case "log", "exec", "attach", "portforward":
		return to, true
	}
	return to, false
}

// ServeHTTP implements http.Handler.
func (a *access) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if id, ok := proxied(r); ok {
		a.forward(w, r, id)
		return
	}
	to, ok := target(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	a.proxy.Serve(w, r, podGetter{a, to.Namespace}, to, refuse)
}

// refuse answers with the Status of an error.
func refuse(w http.ResponseWriter, err error) {
	status := apierrors.NewInternalError(err).Status()
	if known, ok := err.(apierrors.APIStatus); ok {
		status = known.Status()
	}
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status.Code))
	_ = json.NewEncoder(w).Encode(status)
}

// podGetter gets the Pods of a namespace, in the form in which the registries have them.
type podGetter struct {
	access    *access
	namespace string
}

// Get implements registry.ResourceGetter.
func (g podGetter) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	pod, err := g.access.pods.CoreV1().Pods(g.namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return legacyscheme.Scheme.ConvertToVersion(pod, core.SchemeGroupVersion)
}

// reach implements podaccess.World for clients in the bubble: while one of them runs, the engine waits.
type reach struct{ live runner.Live }

// Look implements podaccess.World.
func (r reach) Look(f func()) error {
	f()
	return r.live.Simulation().Context().Err()
}

// Aside implements podaccess.World: the suite keeps its own activity.
func (reach) Aside() (leave func()) { return func() {} }

// Run implements podaccess.World: the command runs as the suite waits.
func (reach) Run(ctx context.Context, c podaccess.Command) (code int, runs bool, err error) {
	return c.Runtime.Run(ctx, c.Container, c.Args, c.Stdin, c.Stdout, c.Stderr)
}

// Kubelet implements podaccess.World.
func (r reach) Kubelet(node string) (found controllers.KubeletServer, ok bool) {
	return r.live.KubeletServer(node)
}

// Node implements podaccess.World.
func (r reach) Node(name string) *corev1.Node {
	if found, ok := r.live.Simulation().State.Get(corev1.Resource("nodes"), "", name); ok {
		return found.(*corev1.Node)
	}
	return nil
}

// Ended implements podaccess.World.
func (r reach) Ended() <-chan struct{} { return r.live.Simulation().Context().Done() }

// object is a Pod or a Service that requests are forwarded to, with the rest of the path.
type object struct{ resource, namespace, id, path string }

// proxied is what a request to the subresource proxy is about.
func proxied(r *http.Request) (of object, ok bool) {
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 8)
	if len(parts) < 7 || parts[0] != "api" || parts[2] != "namespaces" || parts[6] != "proxy" {
		return of, false
	}
	of = object{resource: parts[4], namespace: parts[3], id: parts[5], path: "/"}
	if len(parts) == 8 {
		of.path += parts[7]
	}
	return of, of.resource == "pods" || of.resource == "services"
}

// forward passes a request on to a Pod or a Service, as upstream's ProxyREST does (pkg/registry/core/pod/rest and
// pkg/registry/core/service).
func (a *access) forward(w http.ResponseWriter, r *http.Request, to object) {
	network := &http.Transport{
		DialContext:     func(ctx context.Context, _, address string) (net.Conn, error) { return a.live.Connect(ctx, address) },
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true,
	}
	ctx := request.WithNamespace(r.Context(), to.namespace)
	var location *url.URL
	var err error
	if to.resource == "pods" {
		location, _, err = registry.ResourceLocation(ctx, podGetter{a, to.namespace}, network, to.id)
	} else {
		location, err = a.serviceLocation(ctx, to)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	location.Path, location.RawQuery = to.path, r.URL.RawQuery
	if location.Scheme == "" {
		location.Scheme = "http"
	}
	r = r.Clone(request.WithRequestInfo(ctx, &request.RequestInfo{IsResourceRequest: true, Path: r.URL.Path}))
	proxy.NewUpgradeAwareHandler(location, network, true, false, responder{w}).ServeHTTP(w, r)
}

// serviceLocation is the address of a Service, with a port that its id names.
func (a *access) serviceLocation(ctx context.Context, to object) (*url.URL, error) {
	scheme, name, port, valid := utilnet.SplitSchemeNamePort(to.id)
	if !valid {
		return nil, apierrors.NewBadRequest("invalid service request " + strconv.Quote(to.id))
	}
	service, err := a.pods.CoreV1().Services(to.namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	for _, p := range service.Spec.Ports {
		if port == "" && len(service.Spec.Ports) == 1 || port == p.Name || port == strconv.Itoa(int(p.Port)) {
			return &url.URL{Scheme: scheme, Host: net.JoinHostPort(service.Spec.ClusterIP, strconv.Itoa(int(p.Port)))}, nil
		}
	}
	return nil, apierrors.NewServiceUnavailable("no service port " + strconv.Quote(port) + " found for service " + strconv.Quote(name))
}

// responder implements proxy.ErrorResponder.
type responder struct{ w http.ResponseWriter }

// Error implements proxy.ErrorResponder.
func (r responder) Error(_ http.ResponseWriter, _ *http.Request, err error) {
	refuse(r.w, apierrors.NewServiceUnavailable("error trying to reach service: "+err.Error()))
}

// transport sends requests of the suite to the API server, and those about containers to access.
type transport struct {
	http.RoundTripper
	access *access
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	_, connects := target(r)
	_, forwards := proxied(r)
	if !forwards && (!connects || r.Method != http.MethodGet) {
		return t.RoundTripper.RoundTrip(r)
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	from, to := io.Pipe()
	answer := &answer{header: http.Header{}, body: to, begins: make(chan struct{})}
	go func() {
		t.access.ServeHTTP(answer, r)
		answer.WriteHeader(http.StatusOK)
		_ = to.Close()
	}()
	select {
	case <-r.Context().Done():
		_ = from.Close()
		return nil, r.Context().Err()
	case <-answer.begins:
	}
	return &http.Response{
		Status: http.StatusText(answer.code), StatusCode: answer.code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: answer.header.Clone(), Body: from, ContentLength: -1, Request: r,
	}, nil
}

// answer implements http.ResponseWriter and http.Flusher.
type answer struct {
	header http.Header
	code   int
	body   io.Writer
	begins chan struct{}
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(code int) {
	if a.code == 0 {
		a.code = code
		close(a.begins)
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(data []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(data)
}

// Flush implements http.Flusher.
func (a *answer) Flush() {}
