//go:build linux && !kubernetes_before_1_36

package podaccess

import (
	"context"
	"io"
	"maps"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-client/pkg/logs"
	"k8s.io/cri-streaming/pkg/streaming"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/apis/core"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/kubelet"
	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// followed is how often, in real time, a container is looked at for a client that follows what it prints.
const followed = 200 * time.Millisecond

// kubelet answers as the kubelet of a node, and as its container runtime where the kubelet would pass the request on to that.
func (p *Proxy) kubelet(node string, w http.ResponseWriter, r *http.Request) {
	var answer *kubelet.Answer
	var found controllers.KubeletServer
	err := p.world.Look(func() {
		var listens bool
		if found, listens = p.world.Kubelet(node); listens {
			answer = found.Answer(r)
		}
	})
	if err != nil || answer == nil {
		panic(http.ErrAbortHandler) // the kubelet has crashed: its connections end
	}
	if answer.Stream == nil {
		maps.Copy(w.Header(), answer.Header)
		w.Header().Del("Transfer-Encoding") // the server here encodes
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body)
		return
	}
	c := &connection{proxy: p, runtime: found.Runtime, of: answer.Stream}
	defaults := streaming.DefaultConfig
	switch s := answer.Stream; {
	case answer.Follow != nil:
		c.follow(w, r, readOptions(answer.Follow))
	case s.Exec != nil:
		options := &remotecommand.Options{Stdin: s.Exec.Stdin, Stdout: s.Exec.Stdout, Stderr: s.Exec.Stderr, TTY: s.Exec.Tty}
		remotecommand.ServeExec(w, r, c, "", "", s.Exec.ContainerId, s.Exec.Cmd, options,
			defaults.StreamIdleTimeout, defaults.StreamCreationTimeout, defaults.SupportedRemoteCommandProtocols)
	case s.Attach != nil:
		options := &remotecommand.Options{Stdin: s.Attach.Stdin, Stdout: s.Attach.Stdout, Stderr: s.Attach.Stderr, TTY: s.Attach.Tty}
		remotecommand.ServeAttach(w, r, c, "", "", s.Attach.ContainerId, options,
			defaults.StreamIdleTimeout, defaults.StreamCreationTimeout, defaults.SupportedRemoteCommandProtocols)
	case s.Forward != nil:
		options, err := portforward.BuildV4Options(s.Forward.Port)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(w, r, c, s.Forward.PodSandboxId, "", options,
			defaults.StreamIdleTimeout, defaults.StreamCreationTimeout, defaults.SupportedPortForwardProtocols)
	}
}

// connection is one stream to the container runtime of a node.
type connection struct {
	proxy   *Proxy
	runtime *cri.Runtime
	of      *cri.Stream
}

// look asks the runtime.
func (c *connection) look(f func()) error { return c.proxy.world.Look(f) }

// follow writes the log of a container until it ends, or the client or the simulation do.
func (c *connection) follow(w http.ResponseWriter, r *http.Request, options *logs.LogOptions) {
	w.WriteHeader(http.StatusOK)
	out := flushed{w, http.NewResponseController(w)}
	_ = out.controller.Flush()
	stdout, stderr := io.Writer(out), io.Writer(out)
	switch r.URL.Query().Get("stream") {
	case core.LogStreamStdout:
		stderr = nil
	case core.LogStreamStderr:
		stdout = nil
	}
	c.read(r.Context(), options, stdout, stderr)
}

// read writes what is new in the log of a container. Upstream's reader waits for more in the file, which the runtime writes when somebody
// asks for the container.
func (c *connection) read(ctx context.Context, options *logs.LogOptions, stdout, stderr io.Writer) {
	ctx, cancel := context.WithCancel(klog.NewContext(ctx, logr.Discard()))
	defer cancel()
	reader := status{connection: c}
	go func() {
		defer cancel()
		for c.wait(ctx) {
			if _, err := reader.ContainerStatus(ctx, c.of.Container, false); err != nil {
				<-ctx.Done() // the container has been removed; the reader reads the rest
			}
		}
	}()
	_ = logs.ReadLogs(ctx, c.of.LogPath, c.of.Container, options, reader, stdout, stderr)
}

// readOptions are those with which upstream's runtime reads a log (ReadLogs in pkg/kubelet/kuberuntime/kuberuntime_logs.go).
func readOptions(options *corev1.PodLogOptions) *logs.LogOptions {
	out := &logs.LogOptions{
		TailLines: options.TailLines, LimitBytes: options.LimitBytes, Follow: options.Follow, Timestamp: options.Timestamps,
	}
	if options.SinceSeconds != nil {
		out.Since = time.Now().Add(-time.Duration(*options.SinceSeconds) * time.Second)
	}
	if options.SinceTime != nil && options.SinceTime.After(out.Since) {
		out.Since = options.SinceTime.Time
	}
	return out
}

// wait waits until it is time to look again; false means that the client or the simulation has gone.
func (c *connection) wait(ctx context.Context) bool {
	timer := time.NewTimer(followed)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-c.proxy.world.Ended():
		return false
	case <-timer.C:
		return true
	}
}

// status is the container runtime as a reader of logs asks it: whether the container runs.
type status struct {
	internalapi.RuntimeService
	connection *connection
}

// ContainerStatus implements internalapi.RuntimeService.
func (s status) ContainerStatus(ctx context.Context, id string, verbose bool) (out *runtimeapi.ContainerStatusResponse, err error) {
	ended := s.connection.look(func() { out, err = s.connection.runtime.ContainerStatus(ctx, id, verbose) })
	if ended != nil {
		return nil, ended
	}
	return out, err
}
