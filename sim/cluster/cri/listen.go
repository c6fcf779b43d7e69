package cri

import (
	"context"
	"net"
	"sync"
	"syscall"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// network is the network of a Pod, for the processes of its containers.
type network struct {
	runtime   *Runtime
	sandbox   *sandbox
	container *oci.Container
}

// Listen implements oci.Network.
func (n network) Listen(port int32) (net.Listener, error) {
	n.runtime.mu.Lock()
	defer n.runtime.mu.Unlock()
	if n.sandbox.listeners == nil {
		n.sandbox.listeners = map[int32]*listener{}
	}
	if n.sandbox.listeners[port] != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: syscall.EADDRINUSE}
	}
	l := &listener{
		address: &net.TCPAddr{IP: net.ParseIP(n.sandbox.address), Port: int(port)}, of: n.container,
		arriving: make(chan net.Conn), closed: make(chan struct{}),
	}
	l.close = sync.OnceFunc(func() { close(l.closed) })
	n.sandbox.listeners[port] = l
	return l, nil
}

// Dial implements oci.Network.
func (n network) Dial(ctx context.Context, address string) (net.Conn, error) {
	if n.runtime.options.Dial == nil {
		return nil, syscall.ENETUNREACH
	}
	return n.runtime.options.Dial(ctx, n.source(), address)
}

// Lookup implements oci.Network.
func (n network) Lookup(name string) ([]string, error) {
	if n.runtime.options.Lookup == nil {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return n.runtime.options.Lookup(n.source(), name)
}

// source says who asks.
func (n network) source() Source {
	meta := n.sandbox.config.GetMetadata()
	return Source{
		Runtime: n.runtime, Node: n.runtime.options.Node, Address: n.sandbox.address, Namespace: meta.GetNamespace(), sandbox: n.sandbox,
	}
}

// Source is a Pod that uses the network.
type Source struct {
	Runtime                  *Runtime
	Node, Address, Namespace string
	sandbox                  *sandbox
}

// Itself connects the Pod to a port of its own.
func (s Source) Itself(ctx context.Context, port int32) (net.Conn, error) {
	return s.Runtime.connect(ctx, s.sandbox, s.sandbox.address, port)
}

// listener implements net.Listener.
type listener struct {
	address  *net.TCPAddr
	of       *oci.Container
	arriving chan net.Conn
	closed   chan struct{}
	close    func()
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.arriving:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.close()
	return nil
}

// Addr implements net.Listener.
func (l *listener) Addr() net.Addr { return l.address }

// isOpen reports whether somebody accepts connections.
func (l *listener) isOpen() bool {
	select {
	case <-l.closed:
		return false
	default:
		return true
	}
}

// end is one end of a connection, with addresses.
type end struct {
	net.Conn
	local, remote net.Addr
}

// LocalAddr implements net.Conn.
func (e end) LocalAddr() net.Addr { return e.local }

// RemoteAddr implements net.Conn.
func (e end) RemoteAddr() net.Addr { return e.remote }

// accept passes a connection from an address to whoever listens.
func (l *listener) accept(ctx context.Context, from string) (net.Conn, error) {
	near, far := net.Pipe()
	client := &net.TCPAddr{IP: net.ParseIP(from), Port: clientPort}
	select {
	case l.arriving <- end{far, l.address, client}:
		return end{near, client, l.address}, nil
	case <-l.closed:
		return nil, syscall.ECONNREFUSED
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// clientPort is the port from which clients connect, the first of those that Linux gives to them.
const clientPort = 32768

// closeListeners ends what the processes of a container listen at. The caller holds the lock.
func (r *Runtime) closeListeners(id string, of *oci.Container) {
	s := r.sandboxes.byID[id]
	if s == nil {
		return
	}
	for port, l := range s.listeners {
		if l.of == of {
			l.close()
			delete(s.listeners, port)
		}
	}
}
