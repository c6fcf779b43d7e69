//go:build linux && !kubernetes_before_1_37

package plugins

import (
	"context"
	"net"
	"os"
	"sync"
	"syscall"

	"google.golang.org/grpc"
	"google.golang.org/grpc/test/bufconn"
	registrationv1 "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

// The folders of a kubelet in which its plugins listen: the sockets at which they register, and those of their own services.
const (
	registryFolder = "/var/lib/kubelet/plugins_registry/"
	pluginsFolder  = "/var/lib/kubelet/plugins/"
)

// buffered is how many bytes a connection holds that nobody has read.
const buffered = 64 << 10

// Sockets are those of the plugins of a node. No file of them exists: the kubelet connects in memory.
type Sockets struct {
	// Go starts a goroutine of a plugin, and Context ends with the simulation.
	Go      func(func())
	Context context.Context

	mu        sync.Mutex
	listeners map[string]*bufconn.Listener
	// registry are those at which plugins register, in their order.
	registry []string
}

// Listen serves gRPC at a path.
func (s *Sockets) Listen(path string, register func(grpc.ServiceRegistrar)) {
	listener, server := bufconn.Listen(buffered), grpc.NewServer()
	register(server)
	s.mu.Lock()
	if s.listeners == nil {
		s.listeners = map[string]*bufconn.Listener{}
	}
	s.listeners[path] = listener
	s.mu.Unlock()
	s.Go(func() {
		context.AfterFunc(s.Context, server.Stop)
		_ = server.Serve(listener) // it ends with the simulation
	})
}

// Register serves a plugin, and what a kubelet asks one that it finds: its type, its name and its versions.
func (s *Sockets) Register(info *registrationv1.PluginInfo, register func(grpc.ServiceRegistrar)) {
	info.Endpoint = pluginsFolder + info.Name + "/plugin.sock"
	s.Listen(info.Endpoint, register)
	path := registryFolder + info.Name + "-reg.sock"
	s.Listen(path, func(server grpc.ServiceRegistrar) {
		registrationv1.RegisterRegistrationServer(server, registration{info: info})
	})
	s.registry = append(s.registry, path)
}

// Registry are the sockets at which the plugins register.
func (s *Sockets) Registry() []string { return s.registry }

// Dial connects to a socket.
func (s *Sockets) Dial(ctx context.Context, path string) (net.Conn, error) {
	s.mu.Lock()
	listener := s.listeners[path]
	s.mu.Unlock()
	if listener == nil {
		address := &net.UnixAddr{Name: path, Net: "unix"}
		return nil, &net.OpError{Op: "dial", Net: "unix", Addr: address, Err: os.NewSyscallError("connect", syscall.ENOENT)}
	}
	return listener.DialContext(ctx)
}

// registration is the service with which a plugin registers.
type registration struct {
	registrationv1.UnimplementedRegistrationServer
	info *registrationv1.PluginInfo
}

// GetInfo implements registrationv1.RegistrationServer.
func (r registration) GetInfo(context.Context, *registrationv1.InfoRequest) (*registrationv1.PluginInfo, error) {
	return r.info, nil
}

// NotifyRegistrationStatus implements registrationv1.RegistrationServer.
func (r registration) NotifyRegistrationStatus(
	context.Context, *registrationv1.RegistrationStatus,
) (*registrationv1.RegistrationStatusResponse, error) {
	return &registrationv1.RegistrationStatusResponse{}, nil
}
