package cri

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// The exit codes of a program that SIGTERM and SIGKILL end: 128 and the number of the signal.
const (
	exitTerminated = 143
	exitKilled     = 137
)

// The reasons with which containerd reports the end of a container.
const (
	reasonCompleted = "Completed"
	reasonError     = "Error"
	reasonOOMKilled = "OOMKilled"
)

// memoryAtStart is what a program uses when it starts, in bytes.
const memoryAtStart = 8 << 20

// container is one run of a program. A restart makes another container.
type container struct {
	id, sandbox string
	config      *runtimeapi.ContainerConfig
	program     Program
	created     time.Time
	// started is zero before StartContainer.
	started time.Time
	// listens is when it accepts connections.
	listens time.Time
	// ends is when it exits, zero for never; code and reason say how.
	ends   time.Time
	code   int32
	reason string
	// term is how long it runs after SIGTERM.
	term time.Duration
	// limit is its limit of memory in bytes, 0 for none.
	limit int64
	// killed and exitSeen mean that SIGKILL and its end were recorded.
	killed, exitSeen bool
	// written is the time until which its log is written.
	written time.Time
	// processes are nil without a program in Go. What they have printed is in printed, and logged counts its bytes.
	processes *processes
	printed   []printed
	logged    int
}

// end makes the container end at a time, unless it ends before.
func (c *container) end(at time.Time, code int32, reason string) {
	if !c.ends.IsZero() && !at.Before(c.ends) {
		return
	}
	c.ends, c.code, c.reason = at, code, reason
	if c.processes != nil {
		c.processes.killAt(at)
	}
}

func (c *container) state(now time.Time) runtimeapi.ContainerState {
	switch {
	case !c.ends.IsZero() && !now.Before(c.ends):
		return runtimeapi.ContainerState_CONTAINER_EXITED
	case c.started.IsZero():
		return runtimeapi.ContainerState_CONTAINER_CREATED
	}
	return runtimeapi.ContainerState_CONTAINER_RUNNING
}

func (c *container) runs(now time.Time) bool {
	return c.state(now) == runtimeapi.ContainerState_CONTAINER_RUNNING
}

// memory is what the program uses, in bytes.
func (c *container) memory(now time.Time) int64 {
	return c.atStart() + int64(now.Sub(c.started).Seconds()*float64(c.program.Leaks))
}

// atStart is what the program uses when it starts, in bytes.
func (c *container) atStart() int64 {
	if c.processes != nil {
		return memoryOfProcess
	}
	return memoryAtStart
}

// exhausts plans the end of a program that reaches its limit of memory. A program of 8Mi that leaks 10Mi a second in a container
// with a limit of 108Mi ends after ten seconds.
func (c *container) exhausts() {
	if c.limit == 0 || c.program.Leaks == 0 && c.limit > c.atStart() {
		return
	}
	left := max(0, float64(c.limit-c.atStart()))
	after := time.Duration(0)
	if left > 0 {
		after = time.Duration(left / float64(c.program.Leaks) * float64(time.Second))
	}
	c.end(c.started.Add(after), exitKilled, reasonOOMKilled)
}

// ports are those that the Pod declares for the container; kubelet passes them in an annotation.
func (c *container) ports() (ports []corev1.ContainerPort) {
	const annotation = "io.kubernetes.container.ports"
	if err := json.Unmarshal([]byte(c.config.Annotations[annotation]), &ports); err != nil {
		return nil
	}
	return ports
}

var errNoContainer = status.Error(codes.NotFound, "there is no such container")

// CreateContainer implements RuntimeService.
func (r *Runtime) CreateContainer(
	_ context.Context, sandbox string, config *runtimeapi.ContainerConfig, _ *runtimeapi.PodSandboxConfig,
) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := r.sandboxes.byID[sandbox]
	if in == nil {
		return "", status.Errorf(codes.NotFound, "there is no sandbox %s", sandbox)
	}
	c := &container{
		id: r.id("container"), sandbox: sandbox, config: config, created: time.Now(),
		limit: config.GetLinux().GetResources().GetMemoryLimitInBytes(),
	}
	program, found := r.programIn(in, config)
	c.program = program
	if err := r.prepare(in, c, found); err != nil {
		return "", err
	}
	r.containers.add(c.id, c)
	r.change()
	return c.id, nil
}

// StartContainer implements RuntimeService.
func (r *Runtime) StartContainer(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.containers.byID[id]
	if c == nil {
		return errNoContainer
	}
	key := c.config.GetMetadata().GetName() + "|" + c.id
	c.started, c.program = time.Now(), r.drawn(c.program, key)
	c.listens = c.started.Add(r.draw("listens|"+key, c.program.Listens))
	c.term = r.draw("term|"+key, c.program.Term)
	if exit := c.program.Exits; exit != nil {
		reason := reasonCompleted
		if exit.Code != 0 {
			reason = reasonError
		}
		c.end(c.started.Add(r.draw("exits|"+key, exit.After)), exit.Code, reason)
	}
	if c.processes != nil {
		r.begin(c)
	}
	c.exhausts()
	if r.has(c, CrashLoops) {
		c.end(c.started.Add(crashAfter), 1, reasonError)
	}
	r.began(c)
	r.change()
	return r.write(c)
}

// logPath is where the log of a container is; empty if it has none.
func (r *Runtime) logPath(c *container) string {
	s := r.sandboxes.byID[c.sandbox]
	if s == nil || s.config.GetLogDirectory() == "" || c.config.GetLogPath() == "" {
		return ""
	}
	return filepath.Join(s.config.LogDirectory, c.config.LogPath)
}

// StopContainer implements RuntimeService: SIGTERM, and SIGKILL after timeout seconds. It returns when the container has ended.
func (r *Runtime) StopContainer(ctx context.Context, id string, timeout int64) error {
	r.mu.Lock()
	c := r.containers.byID[id]
	now := time.Now()
	if c == nil || !c.runs(now) {
		r.mu.Unlock()
		return nil
	}
	if r.has(c, Hangs) {
		r.signaled(c, trace.SignalTerminate, time.Duration(timeout)*time.Second)
		defer r.mu.Unlock()
		if err := r.untilLifted(ctx, c); err != nil {
			return err
		}
		c.end(time.Now(), exitKilled, reasonError)
		return nil
	}
	wait := time.Duration(timeout) * time.Second
	if c.processes != nil {
		defer r.mu.Unlock()
		r.signaled(c, trace.SignalTerminate, wait)
		return r.stopProcesses(ctx, c, wait)
	}
	code := int32(exitKilled)
	if !c.program.IgnoresTerm && c.term <= wait {
		// A program that handles SIGTERM exits with 0, one that does not has no time to run after it.
		if wait, code = c.term, 0; c.term == 0 {
			code = exitTerminated
		}
	}
	reason := reasonError
	if code == 0 {
		reason = reasonCompleted
	}
	r.signaled(c, trace.SignalTerminate, time.Duration(timeout)*time.Second)
	end := now.Add(wait)
	c.end(end, code, reason)
	wait = c.ends.Sub(now)
	r.mu.Unlock()
	err := sleep(ctx, wait)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.kills(c, end)
	}
	return err
}

// RemoveContainer implements RuntimeService.
func (r *Runtime) RemoveContainer(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.removes(id)
	return nil
}

// removes removes a container and its own files. The caller holds the lock.
func (r *Runtime) removes(id string) {
	if c := r.containers.byID[id]; c != nil {
		r.leaves(c)
	}
	if c := r.containers.byID[id]; c != nil && c.processes != nil {
		c.end(time.Now(), exitKilled, reasonError)
		_ = os.RemoveAll(r.onMachine(filepath.Join(containersFolder, id)))
	}
	r.containers.remove(id)
	r.change()
}

// ListContainers implements RuntimeService.
func (r *Runtime) ListContainers(_ context.Context, filter *runtimeapi.ContainerFilter) (list []*runtimeapi.Container, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.containers.all(func(c *container) {
		r.sees(c, now)
		if filter.GetId() != "" && filter.GetId() != c.id || filter.GetPodSandboxId() != "" && filter.GetPodSandboxId() != c.sandbox ||
			filter.GetState() != nil && filter.GetState().State != c.state(now) || !matches(c.config.Labels, filter.GetLabelSelector()) {
			return
		}
		list = append(list, &runtimeapi.Container{
			Id: c.id, PodSandboxId: c.sandbox, Metadata: c.config.Metadata, Image: c.config.Image,
			ImageRef: reference(c.config.Image.GetUserSpecifiedImage()), ImageId: reference(c.config.Image.GetUserSpecifiedImage()),
			State: c.state(now), CreatedAt: c.created.UnixNano(), Labels: c.config.Labels, Annotations: c.config.Annotations,
		})
	})
	return list, nil
}

// ContainerStatus implements RuntimeService.
func (r *Runtime) ContainerStatus(ctx context.Context, id string, _ bool) (*runtimeapi.ContainerStatusResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.containers.byID[id]
	if c == nil {
		return nil, errNoContainer
	}
	if err := r.write(c); err != nil {
		return nil, err
	}
	if s := streamOf(ctx); s != nil {
		s.Container, s.LogPath = id, r.onMachine(r.logPath(c))
	}
	now := time.Now()
	r.sees(c, now)
	image := c.config.Image
	if known := (images{r}).find(image.GetImage()); known != nil {
		// A kubelet names the image by its ID, and containerd answers with a tag of it.
		image = &runtimeapi.ImageSpec{Image: known.name, UserSpecifiedImage: image.GetUserSpecifiedImage()}
	}
	out := &runtimeapi.ContainerStatus{
		Id: c.id, Metadata: c.config.Metadata, State: c.state(now), CreatedAt: c.created.UnixNano(), Image: image,
		ImageRef: reference(c.config.Image.GetUserSpecifiedImage()), ImageId: reference(c.config.Image.GetUserSpecifiedImage()),
		Labels: c.config.Labels, Annotations: c.config.Annotations, Mounts: c.config.Mounts, LogPath: r.logPath(c),
		Resources: &runtimeapi.ContainerResources{Linux: c.config.GetLinux().GetResources()},
	}
	if !c.started.IsZero() {
		out.StartedAt = c.started.UnixNano()
	}
	if out.State == runtimeapi.ContainerState_CONTAINER_EXITED {
		out.FinishedAt, out.ExitCode, out.Reason = c.ends.UnixNano(), c.code, c.reason
	}
	return &runtimeapi.ContainerStatusResponse{Status: out}, nil
}

// UpdateContainerResources implements RuntimeService: the new limit of memory holds from now on.
func (r *Runtime) UpdateContainerResources(_ context.Context, id string, resources *runtimeapi.ContainerResources) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.containers.byID[id]
	if c == nil {
		return errNoContainer
	}
	if linux := resources.GetLinux(); linux != nil && c.config.GetLinux() != nil {
		c.config.Linux.Resources = linux
		c.limit = linux.MemoryLimitInBytes
		r.change()
		c.exhausts()
	}
	return nil
}

// ReopenContainerLog implements RuntimeService: after the kubelet has moved a log away, the container writes another one.
func (r *Runtime) ReopenContainerLog(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.containers.byID[id]
	if c == nil {
		return errNoContainer
	}
	file, err := os.OpenFile(r.onMachine(r.logPath(c)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}
