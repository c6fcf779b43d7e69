//go:build linux && !kubernetes_before_1_36

package podaccess

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"k8s.io/cri-client/pkg/logs"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"

	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// ExecInContainer implements remotecommand.Executor: the program of the container answers the command. Errors are those of containerd.
func (c *connection) ExecInContainer(
	ctx context.Context, _, _, container string, command []string, in io.Reader, out, errs io.WriteCloser, _ bool,
	_ <-chan remotecommand.TerminalSize, _ time.Duration,
) error {
	code, runs, err := c.proxy.world.Run(ctx, Command{c.runtime, container, command, in, orNil(out), orNil(errs)})
	switch {
	case err != nil:
		return fmt.Errorf("failed to exec in container: %w", err)
	case runs && code != 0:
		return utilexec.CodeExitError{Err: fmt.Errorf("command terminated with exit code %d", code), Code: code}
	case runs:
		return nil
	}
	var result cri.Result
	var found bool
	if ended := c.look(func() { result, found, err = c.runtime.Command(container, command) }); ended != nil {
		return ended
	}
	switch {
	case err != nil:
		return fmt.Errorf("failed to exec in container: %w", err)
	case !found:
		return fmt.Errorf("failed to exec in container: failed to start exec %q: OCI runtime exec failed: exec failed: "+
			"unable to start container process: exec: %q: executable file not found in $PATH: unknown",
			digest(container, command...), strings.Join(command[:min(1, len(command))], ""))
	case result.Hangs:
		c.until(ctx, out)
		return nil
	}
	if out != nil && result.Body != "" {
		if _, err := io.WriteString(out, strings.TrimSuffix(result.Body, "\n")+"\n"); err != nil {
			return nil // the client has gone
		}
	}
	if result.Code != 0 {
		return utilexec.CodeExitError{Err: fmt.Errorf("command terminated with exit code %d", result.Code), Code: result.Code}
	}
	return nil
}

// orNil is a writer, nil if there is none.
func orNil(w io.WriteCloser) io.Writer {
	if w == nil {
		return nil
	}
	return w
}

// until waits until the client or the simulation has gone.
func (c *connection) until(ctx context.Context, out io.Writer) {
	for c.wait(ctx) {
		if out != nil {
			if _, err := out.Write(nil); err != nil {
				return
			}
		}
	}
}

// AttachContainer implements remotecommand.Attacher: the client gets what the container prints from now on, until it ends. A program reads
// no input.
func (c *connection) AttachContainer(
	ctx context.Context, _, _, container string, _ io.Reader, out, _ io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize,
) error {
	var since time.Time
	if err := c.look(func() { since = time.Now().Add(1) }); err != nil {
		return err
	}
	if _, err := (status{connection: c}).ContainerStatus(c.of.Within(ctx), container, false); err != nil || out == nil {
		return err
	}
	c.read(ctx, &logs.LogOptions{Follow: true, Since: since}, out, out)
	return nil
}

// PortForward implements portforward.PortForwarder: it serves one connection to a port of a Pod. A program that is data answers each
// request alike. One that is a Go function may not, and a session has no step for what a client sends to it, so it gets nothing.
func (c *connection) PortForward(_ context.Context, sandbox, _ string, port int32, stream io.ReadWriteCloser) error {
	defer stream.Close()
	_, listens, err := c.request(sandbox, port, "/")
	inGo := false
	if err == nil {
		err = c.look(func() { inGo = c.runtime.ListensInGo(sandbox, port) })
	}
	switch {
	case err != nil:
		return err
	case inGo:
		return fmt.Errorf("kubestep cannot forward port %d: the program there is a Go function, and requests of a client from outside "+
			"would change what it does, so that nobody could replay this session; send requests from a container, "+
			"with kubectl exec POD -- wget -qO- http://localhost:%d/, which becomes a step of the session", port, port)
	case !listens:
		namespace := "/var/run/netns/cni-" + digest(sandbox)[:32]
		return fmt.Errorf("failed to execute portforward in network namespace %q: failed to connect to localhost:%d inside namespace %q, "+
			"IPv4: dial tcp4 127.0.0.1:%d: connect: connection refused IPv6 dial tcp6 [::1]:%d: connect: connection refused",
			namespace, port, namespace, port, port)
	}
	reader := bufio.NewReader(stream)
	request, err := http.ReadRequest(reader)
	if err != nil {
		return nil // the client has gone, or does not speak HTTP
	}
	result, listens, err := c.request(sandbox, port, request.URL.Path)
	switch {
	case err != nil || !listens:
		return nil // the program has ended, and its connections with it
	case result.Hangs:
		_, _ = io.Copy(io.Discard, reader) // until the client gives up
		return nil
	}
	_, _ = io.Copy(io.Discard, request.Body)
	_ = result.Send(stream, request.Method)
	return nil
}

// request is what the program at a port answers.
func (c *connection) request(sandbox string, port int32, path string) (result cri.Result, listens bool, err error) {
	err = c.look(func() { result, listens = c.runtime.Request(sandbox, port, path) })
	return result, listens, err
}

// digest is an identifier of 64 hexadecimal digits.
func digest(of string, more ...string) string {
	sum := sha256.Sum256([]byte(of + "|" + strings.Join(more, "|")))
	return hex.EncodeToString(sum[:])
}
