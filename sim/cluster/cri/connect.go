package cri

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// Has reports whether a sandbox of the runtime has an address.
func (r *Runtime) Has(address string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sandboxAt(address) != nil
}

func (r *Runtime) sandboxAt(address string) *sandbox {
	for _, s := range r.sandboxes.byID {
		if s.address != "" && s.address == address && !s.stopped {
			return s
		}
	}
	return nil
}

// Connect opens a connection to a port of a Pod's address, as net.Dialer does: the error is ECONNREFUSED if no program listens there. A
// program listens on the ports that its container declares, and on all if it declares none.
func (r *Runtime) Connect(ctx context.Context, address string, port int32) (net.Conn, error) {
	return r.ConnectFrom(ctx, "", address, port)
}

// ConnectFrom is Connect for a client with an address.
func (r *Runtime) ConnectFrom(ctx context.Context, from, address string, port int32) (net.Conn, error) {
	r.mu.Lock()
	s := r.sandboxAt(address)
	r.mu.Unlock()
	if s == nil {
		return nil, syscall.EHOSTUNREACH
	}
	return r.connect(ctx, s, from, port)
}

// connect connects a client to a port of a sandbox.
func (r *Runtime) connect(ctx context.Context, s *sandbox, from string, port int32) (net.Conn, error) {
	r.mu.Lock()
	c, l := r.listener(s.id, port), s.listeners[port]
	r.mu.Unlock()
	switch {
	case l != nil: // a program in Go, which listens at this port and not at any
		return l.accept(ctx, from)
	case c != nil:
		near, far := net.Pipe()
		go c.serve(far)
		return near, nil
	}
	return nil, syscall.ECONNREFUSED
}

// listener is the container of a sandbox that listens at a port; nil if none does.
func (r *Runtime) listener(sandbox string, port int32) *container {
	now := time.Now()
	for _, c := range r.containersOf(sandbox) {
		if c.processes == nil && c.runs(now) && !now.Before(c.listens) && c.declares(port) && !r.has(c, Refuses) {
			return c
		}
	}
	return nil
}

func (c *container) declares(port int32) bool {
	ports := c.ports()
	for _, p := range ports {
		if p.ContainerPort == port {
			return true
		}
	}
	return len(ports) == 0
}

// serve answers the request of one connection, unless the client closes it first, as a probe of TCP does.
func (c *container) serve(conn net.Conn) {
	defer conn.Close()
	reader := bufio.NewReader(conn)
	request, err := http.ReadRequest(reader)
	if err != nil {
		return
	}
	if c.program.Hangs {
		_, _ = reader.ReadByte() // until the client gives up
		return
	}
	_ = c.program.respond(request.URL.Path, time.Since(c.started), http.StatusOK).Send(conn, request.Method)
}

// Send writes the response to a request of HTTP, after which the server closes the connection. A response without a body has its status in
// words, as probes report it.
func (r Result) Send(conn io.Writer, method string) error {
	text := http.StatusText(r.Code)
	body := cmp.Or(r.Body, strings.ToLower(text))
	_, err := fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", r.Code, text, len(body))
	if err == nil && method != http.MethodHead {
		_, err = io.WriteString(conn, body)
	}
	return err
}
