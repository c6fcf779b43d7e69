package cri

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// sandbox is what the containers of a Pod share: its network.
type sandbox struct {
	id      string
	config  *runtimeapi.PodSandboxConfig
	handler string
	created time.Time
	// address is empty on the network of the node.
	address string
	stopped bool
	// listeners are what processes listen at, by port.
	listeners map[int32]*listener
}

func (s *sandbox) state() runtimeapi.PodSandboxState {
	if s.stopped {
		return runtimeapi.PodSandboxState_SANDBOX_NOTREADY
	}
	return runtimeapi.PodSandboxState_SANDBOX_READY
}

// RunPodSandbox implements RuntimeService.
func (r *Runtime) RunPodSandbox(ctx context.Context, config *runtimeapi.PodSandboxConfig, handler string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &sandbox{id: r.id("sandbox"), config: config, handler: handler, created: time.Now()}
	options := config.GetLinux().GetSecurityContext().GetNamespaceOptions()
	if options.GetNetwork() != runtimeapi.NamespaceMode_NODE && r.options.Address != nil {
		s.address = r.options.Address()
	}
	r.sandboxes.add(s.id, s)
	r.change()
	return s.id, nil
}

// StopPodSandbox implements RuntimeService: containers that still run are killed. It may be called again.
func (r *Runtime) StopPodSandbox(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sandboxes.byID[id]
	if s == nil {
		return nil
	}
	s.stopped = true
	r.change()
	now := time.Now()
	for _, c := range r.containersOf(id) {
		c.end(now, exitKilled, reasonError)
		r.kills(c, now)
	}
	return nil
}

// RemovePodSandbox implements RuntimeService.
func (r *Runtime) RemovePodSandbox(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sandboxes.remove(id)
	r.change()
	for _, c := range r.containersOf(id) {
		r.removes(c.id)
	}
	return nil
}

// containersOf are those of a sandbox, the newest first.
func (r *Runtime) containersOf(sandbox string) (of []*container) {
	r.containers.all(func(c *container) {
		if c.sandbox == sandbox {
			of = append(of, c)
		}
	})
	return of
}

// PodSandboxStatus implements RuntimeService.
func (r *Runtime) PodSandboxStatus(_ context.Context, id string, _ bool) (*runtimeapi.PodSandboxStatusResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sandboxes.byID[id]
	if s == nil {
		return nil, status.Errorf(codes.NotFound, "there is no sandbox %s", id)
	}
	return &runtimeapi.PodSandboxStatusResponse{Status: &runtimeapi.PodSandboxStatus{
		Id: s.id, Metadata: s.config.Metadata, State: s.state(), CreatedAt: s.created.UnixNano(),
		Network: &runtimeapi.PodSandboxNetworkStatus{Ip: s.address}, Labels: s.config.Labels, Annotations: s.config.Annotations,
		RuntimeHandler: s.handler,
		Linux: &runtimeapi.LinuxPodSandboxStatus{Namespaces: &runtimeapi.Namespace{
			Options: s.config.GetLinux().GetSecurityContext().GetNamespaceOptions(),
		}},
	}, Timestamp: time.Now().UnixNano()}, nil
}

// ListPodSandbox implements RuntimeService.
func (r *Runtime) ListPodSandbox(_ context.Context, filter *runtimeapi.PodSandboxFilter) (list []*runtimeapi.PodSandbox, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sandboxes.all(func(s *sandbox) {
		if filter.GetId() != "" && filter.GetId() != s.id || filter.GetState() != nil && filter.GetState().State != s.state() ||
			!matches(s.config.Labels, filter.GetLabelSelector()) {
			return
		}
		list = append(list, &runtimeapi.PodSandbox{
			Id: s.id, Metadata: s.config.Metadata, State: s.state(), CreatedAt: s.created.UnixNano(),
			Labels: s.config.Labels, Annotations: s.config.Annotations, RuntimeHandler: s.handler,
		})
	})
	return list, nil
}

// UpdatePodSandboxResources implements RuntimeService.
func (r *Runtime) UpdatePodSandboxResources(
	context.Context, *runtimeapi.UpdatePodSandboxResourcesRequest,
) (*runtimeapi.UpdatePodSandboxResourcesResponse, error) {
	return &runtimeapi.UpdatePodSandboxResourcesResponse{}, nil
}
