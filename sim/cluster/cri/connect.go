package cri

import (
	"bufio"
	"context"
	"fmt"
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
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sandboxAt(address)
	if s == nil {
		return nil, syscall.EHOSTUNREACH
	}
	now := time.Now()
	for _, c := range r.containersOf(s.id) {
		if c.runs(now) && !now.Before(c.listens) && c.declares(port) {
			near, far := net.Pipe()
			go c.serve(far)
			return near, nil
		}
	}
	return nil, syscall.ECONNREFUSED
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
	code := c.program.answer(request.URL.Path, time.Since(c.started), http.StatusOK)
	body := strings.ToLower(http.StatusText(code))
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		code, http.StatusText(code), len(body), body)
}
