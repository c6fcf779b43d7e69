//go:build linux

package kubelet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/controllers/kubelet/internal/kubeletapi"
	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// errStream ends the handler of a request that is for a stream: whoever has asked serves it.
var errStream = errors.New("the container runtime serves the stream")

// host is a kubelet as its server sees it. It has no streams: the types of their options, which other versions of Kubernetes have in other
// modules, are those of upstream's methods.
type host[Options, Ports any] struct {
	*kubelet.Kubelet
	exec    func(context.Context, string, types.UID, string, []string, Options) (*url.URL, error)
	attach  func(context.Context, string, types.UID, string, Options) (*url.URL, error)
	forward func(context.Context, string, string, types.UID, Ports) (*url.URL, error)
}

// newHost returns a kubelet with its own methods for streams, which check requests.
func newHost[Options, Ports any](
	k *kubelet.Kubelet, exec func(context.Context, string, types.UID, string, []string, Options) (*url.URL, error),
	attach func(context.Context, string, types.UID, string, Options) (*url.URL, error),
	forward func(context.Context, string, string, types.UID, Ports) (*url.URL, error),
) host[Options, Ports] {
	return host[Options, Ports]{k, exec, attach, forward}
}

// GetExec implements server.HostInterface.
func (h host[Options, _]) GetExec(
	ctx context.Context, pod string, uid types.UID, container string, command []string, options Options,
) (*url.URL, error) {
	if _, err := h.exec(ctx, pod, uid, container, command, options); err != nil {
		return nil, err
	}
	return nil, errStream
}

// GetAttach implements server.HostInterface.
func (h host[Options, _]) GetAttach(
	ctx context.Context, pod string, uid types.UID, container string, options Options,
) (*url.URL, error) {
	if _, err := h.attach(ctx, pod, uid, container, options); err != nil {
		return nil, err
	}
	return nil, errStream
}

// GetPortForward implements server.HostInterface.
func (h host[_, Ports]) GetPortForward(ctx context.Context, pod, namespace string, uid types.UID, options Ports) (*url.URL, error) {
	if _, err := h.forward(ctx, pod, namespace, uid, options); err != nil {
		return nil, err
	}
	return nil, errStream
}

type followKey struct{}

// GetKubeletContainerLogs implements server.HostInterface. A log that is to be followed is looked up, and not read.
func (h host[_, _]) GetKubeletContainerLogs(
	ctx context.Context, pod, container string, options *corev1.PodLogOptions, stdout, stderr io.Writer,
) error {
	if !options.Follow {
		return h.Kubelet.GetKubeletContainerLogs(ctx, pod, container, options, stdout, stderr)
	}
	once := options.DeepCopy()
	once.Follow, once.TailLines = false, ptr.To(int64(0))
	if err := h.Kubelet.GetKubeletContainerLogs(ctx, pod, container, once, io.Discard, io.Discard); err != nil {
		return err
	}
	*ctx.Value(followKey{}).(**corev1.PodLogOptions) = options
	return errStream
}

// newServer returns the server of a kubelet. It serves nothing of the machine on which the simulation runs: no logs of the system, no
// profiles and no flags.
func (k *Kubelet) newServer() http.Handler {
	config := k.config.DeepCopy()
	config.EnableDebuggingHandlers = true
	config.EnableSystemLogHandler, config.EnableSystemLogQuery = false, false
	config.EnableProfilingHandler, config.EnableContentionProfiling, config.EnableDebugFlagsHandler = false, false, false
	of := newHost(k.upstream, k.upstream.GetExec, k.upstream.GetAttach, k.upstream.GetPortForward)
	made := kubeletapi.NewServer(of, k.with.Recorder, config)
	return &made
}

// Answer answers a request to the kubelet's server, on the calling goroutine. It takes no virtual time.
func (k *Kubelet) Answer(r *http.Request) *Answer {
	if k.server == nil {
		k.server = k.newServer()
	}
	out := &Answer{Stream: &cri.Stream{}}
	ctx := context.WithValue(out.Stream.Within(context.Background()), followKey{}, &out.Follow)
	response := &response{header: http.Header{}}
	k.server.ServeHTTP(response, r.WithContext(ctx))
	if s := out.Stream; out.Follow == nil && s.Exec == nil && s.Attach == nil && s.Forward == nil {
		out.Stream = nil
	}
	out.Code, out.Header, out.Body = max(response.code, http.StatusOK), response.header, response.body.Bytes()
	return out
}

// response holds what a handler writes. It implements http.ResponseWriter and http.Flusher.
type response struct {
	code   int
	header http.Header
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *response) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(code int) {
	if r.code == 0 {
		r.code = code
	}
}

// Write implements http.ResponseWriter.
func (r *response) Write(data []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(data)
}

// Flush implements http.Flusher: nobody reads the response before it is complete.
func (r *response) Flush() {}
