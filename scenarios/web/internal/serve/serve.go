// Package serve listens for browsers, for the commands that show pages: on this machine unless the user names another
// address, and until the context ends.
package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
)

// Loopback is a free port of this machine.
const Loopback = "127.0.0.1:0"

// Check reports what is wrong with an address, before anything takes time.
func Check(listen string) error {
	if _, _, err := net.SplitHostPort(listen); err != nil {
		return cli.Usage("--listen: "+err.Error(), "--listen 0.0.0.0:8080")
	}
	return nil
}

// Listen listens on an address, and returns under which names others reach it: HOST:PORT.
func Listen(ctx context.Context, listen string) (listener net.Listener, names []string, err error) {
	if err := Check(listen); err != nil {
		return nil, nil, err
	}
	host, _, _ := net.SplitHostPort(listen)
	listener, err = new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return nil, nil, cli.Usage("--listen: "+err.Error(), "--listen "+net.JoinHostPort(host, "0"))
	}
	port := fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)
	for _, address := range addresses(host) {
		names = append(names, net.JoinHostPort(address, port))
	}
	return listener, names, nil
}

// Until serves until the context ends. No answer takes longer than slowest.
func Until(ctx context.Context, listener net.Listener, handler http.Handler, slowest time.Duration) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: slowest,
		IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("the server failed: %w", err)
	}
	return nil
}

// addresses are those under which others reach this machine: the host itself or, if it means all, those of its networks.
func addresses(host string) []string {
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{host}
	}
	var list []string
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			list = append(list, ip.IP.String())
		}
	}
	return append(list, "127.0.0.1")
}
