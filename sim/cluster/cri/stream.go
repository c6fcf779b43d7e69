package cri

import (
	"context"
	"net/http"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// A container runtime answers a kubelet that asks for a stream with the address of a server of its own. Here nothing listens: the runtime
// notes what a stream is to do, and whoever has asked the kubelet serves it, by the clock of the machine. The functions of the runtime
// below say what a program then does. They change nothing, so that a simulation is the same whoever is connected.

// Stream is what a client of a kubelet has asked for: of the requests, the one that the runtime got.
type Stream struct {
	Exec    *runtimeapi.ExecRequest
	Attach  *runtimeapi.AttachRequest
	Forward *runtimeapi.PortForwardRequest
	// Container is the last one whose status the kubelet asked for, and LogPath where its log is on the machine.
	Container, LogPath string
}

type streamKey struct{}

// Within returns a context in which the runtime notes what it is asked for.
func (s *Stream) Within(ctx context.Context) context.Context {
	return context.WithValue(ctx, streamKey{}, s)
}

func streamOf(ctx context.Context) *Stream {
	s, _ := ctx.Value(streamKey{}).(*Stream)
	return s
}

// nowhere is the address of a stream that nobody listens at.
const nowhere = "http://runtime"

// Exec implements RuntimeService.
func (r *Runtime) Exec(ctx context.Context, request *runtimeapi.ExecRequest) (*runtimeapi.ExecResponse, error) {
	s := streamOf(ctx)
	if s == nil {
		return nil, errNoStream
	}
	if _, err := r.running(request.GetContainerId()); err != nil {
		return nil, err
	}
	s.Exec = request
	return &runtimeapi.ExecResponse{Url: nowhere}, nil
}

// Attach implements RuntimeService.
func (r *Runtime) Attach(ctx context.Context, request *runtimeapi.AttachRequest) (*runtimeapi.AttachResponse, error) {
	s := streamOf(ctx)
	if s == nil {
		return nil, errNoStream
	}
	if _, err := r.running(request.GetContainerId()); err != nil {
		return nil, err
	}
	s.Attach = request
	return &runtimeapi.AttachResponse{Url: nowhere}, nil
}

// PortForward implements RuntimeService.
func (r *Runtime) PortForward(ctx context.Context, request *runtimeapi.PortForwardRequest) (*runtimeapi.PortForwardResponse, error) {
	s := streamOf(ctx)
	if s == nil {
		return nil, errNoStream
	}
	s.Forward = request
	return &runtimeapi.PortForwardResponse{Url: nowhere}, nil
}

// running is a container that runs, or the error of containerd.
func (r *Runtime) running(id string) (*container, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.containers.byID[id]
	if c == nil {
		return nil, errNoContainer
	}
	if state := c.state(time.Now()); state != runtimeapi.ContainerState_CONTAINER_RUNNING {
		return nil, status.Errorf(codes.Unknown, "container is in %s state", state)
	}
	return c, nil
}

// Owner is what a container belongs to.
type Owner struct {
	Namespace, Pod, Container string
	// RunsCommands means that its program is a Go function, which runs commands (Run). Other programs answer them (Command).
	RunsCommands bool
}

// Owner says what a container belongs to; it is empty for one that the runtime does not have.
func (r *Runtime) Owner(id string) (of Owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.containers.byID[id]
	if c == nil || r.sandboxes.byID[c.sandbox] == nil {
		return of
	}
	pod := r.sandboxes.byID[c.sandbox].config.GetMetadata()
	return Owner{pod.GetNamespace(), pod.GetName(), c.config.GetMetadata().GetName(), c.processes != nil}
}

// Result is what a command or a request brings.
type Result struct {
	// Code is the exit code of the command, or the status of HTTP.
	Code int
	// Body is what the command prints, or the body of the response.
	Body string
	// Hangs means that there is none, ever.
	Hangs bool
}

// Command is what a command in a container does. found is false if the container has no such executable: a program has those that it has
// answers for.
func (r *Runtime) Command(id string, command []string) (result Result, found bool, err error) {
	c, err := r.running(id)
	if err != nil || len(command) == 0 {
		return Result{}, false, err
	}
	named := slices.ContainsFunc(c.program.Answers, func(a Answer) bool { return a.Path == command[0] })
	if !named {
		return Result{}, false, nil
	}
	result = c.program.respond(command[0], time.Since(c.started), 0)
	return result, true, nil
}

// ListensInGo reports whether a program in Go listens at a port of a sandbox. What a client sends to it may change what it does later.
func (r *Runtime) ListensInGo(sandbox string, port int32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sandboxes.byID[sandbox]
	return s != nil && s.listeners[port] != nil && s.listeners[port].isOpen()
}

// Request is what the program at a port of a sandbox answers to a request for a path. ok is false if none listens there.
func (r *Runtime) Request(sandbox string, port int32, path string) (result Result, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.listener(sandbox, port)
	if c == nil {
		return Result{}, false
	}
	return c.program.respond(path, time.Since(c.started), http.StatusOK), true
}
