package cri

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	utilexec "k8s.io/utils/exec"
)

// ExecSync implements RuntimeService: the program answers with the exit code of its last Answer for the first word of the command, 0
// without one.
func (r *Runtime) ExecSync(ctx context.Context, id string, command []string, timeout time.Duration) (stdout, stderr []byte, err error) {
	r.mu.Lock()
	c := r.containers.byID[id]
	now := time.Now()
	runs := c != nil && c.runs(now)
	refuses := c != nil && r.has(c, Refuses)
	r.mu.Unlock()
	switch {
	case c == nil:
		return nil, nil, errNoContainer
	case !runs:
		return nil, nil, status.Errorf(codes.Unknown, "container %s is not running", id)
	case c.program.Hangs:
		if timeout == 0 {
			<-ctx.Done()
			return nil, nil, ctx.Err()
		}
		if err := sleep(ctx, timeout); err != nil {
			return nil, nil, err
		}
		return nil, nil, status.Errorf(codes.DeadlineExceeded, "command timed out after %s", timeout)
	}
	if c.processes != nil && !refuses {
		return r.execute(ctx, c, command, timeout)
	}
	if refuses {
		return nil, []byte("command exited with 1"), utilexec.CodeExitError{Err: errors.New("command exited with 1"), Code: 1}
	}
	word := ""
	if len(command) > 0 {
		word = command[0]
	}
	result := c.program.respond(word, now.Sub(c.started), 0)
	if result.Code != 0 {
		text := cmp.Or(result.Body, fmt.Sprintf("command exited with %d", result.Code))
		return nil, []byte(text), utilexec.CodeExitError{Err: fmt.Errorf("%s", text), Code: result.Code}
	}
	return []byte(result.Body), nil, nil
}

// errNoStream answers what needs a process, or a stream to one.
var errNoStream = status.Error(codes.Unimplemented, "no process runs in a container of the simulation")

// CheckpointContainer implements RuntimeService.
func (r *Runtime) CheckpointContainer(context.Context, *runtimeapi.CheckpointContainerRequest) error {
	return errNoStream
}

// GetContainerEvents implements RuntimeService: the kubelet lists containers instead.
func (r *Runtime) GetContainerEvents(
	context.Context, chan *runtimeapi.ContainerEventResponse, func(runtimeapi.RuntimeService_GetContainerEventsClient),
) error {
	return errNoStream
}
