package server

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"

	"k8s.io/client-go/rest"
)

// dialer connects clients that have the address of a control plane and no transport of their own, such as those of
// rest.AnonymousClientConfig: each connection is a pair of pipes in memory, for which virtual time waits. Their requests are those of
// transport then.
func dialer(transport http.RoundTripper, host *url.URL) func(ctx context.Context, network, address string) (net.Conn, error) {
	forward := &httputil.ReverseProxy{
		Transport: transport, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = host.Scheme, host.Host },
	}
	return func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() { _ = http.Serve(&single{conn: server}, forward) }()
		return client, nil
	}
}

// single is a listener with one connection, which stays open when the listener is closed.
type single struct {
	conn     net.Conn
	accepted bool
}

// Accept implements net.Listener.
func (s *single) Accept() (net.Conn, error) {
	if s.accepted {
		return nil, net.ErrClosed
	}
	s.accepted = true
	return s.conn, nil
}

// Close implements net.Listener.
func (s *single) Close() error { return nil }

// Addr implements net.Listener.
func (s *single) Addr() net.Addr { return s.conn.LocalAddr() }

// connect gives the clients of a configuration the ways to a control plane that remain when a test copies only a part of it.
func connect(config *rest.Config) error {
	host, err := url.Parse(config.Host)
	if err != nil {
		return err
	}
	config.Dial = dialer(config.Transport, host)
	return nil
}
