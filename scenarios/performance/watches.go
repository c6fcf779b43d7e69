package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// watchers are clients that watch the Pods of a session: each has a connection of its own. Slow ones read slowBytes a second.
type watchers struct {
	server, token string
	roots         *x509.CertPool

	cancel context.CancelFunc
	ended  sync.WaitGroup
	// bytes is how many all of them have read, and lines those of the clients that are not slow.
	bytes, lines atomic.Int64
	// closed is how many watches the server has ended.
	closed atomic.Int64
}

// slowBytes is how many bytes a slow client reads in a second of real time, and receiveBuffer how many the system keeps for it.
const slowBytes, receiveBuffer = 1000, 4096

// open opens watches, and returns when the server has answered all of them. The last slow ones read slowly.
func (w *watchers) open(ctx context.Context, count, slow int) error {
	ctx, w.cancel = context.WithCancel(ctx)
	for i := range count {
		isSlow := i >= count-slow
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.server+"/api/v1/pods?watch=true", nil)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+w.token)
		r.Header.Set("Accept", "application/json")
		response, err := w.client(isSlow).Do(r)
		switch {
		case err != nil:
			return err
		case response.StatusCode != http.StatusOK:
			response.Body.Close()
			return fmt.Errorf("a watch is answered with %s", response.Status)
		}
		w.ended.Go(func() {
			defer response.Body.Close()
			read := w.read
			if isSlow {
				read = w.readSlowly
			}
			if err := read(ctx, response.Body); err == io.EOF {
				w.closed.Add(1)
			}
		})
	}
	return nil
}

// client is one with a connection of its own. A slow one uses HTTP/1.1, in which nothing but the connection keeps what it does not read.
func (w *watchers) client(slow bool) *http.Client {
	config := &tls.Config{RootCAs: w.roots, MinVersion: tls.VersionTLS12}
	if !slow {
		return &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}}
	}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		connection, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if tcp, ok := connection.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(receiveBuffer)
		}
		return connection, err
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config, DialContext: dial}}
}

// read reads a watch until it ends.
func (w *watchers) read(_ context.Context, body io.Reader) error {
	for in := bufio.NewReaderSize(body, 1<<16); ; {
		line, err := in.ReadSlice('\n')
		w.bytes.Add(int64(len(line)))
		switch {
		case err == nil:
			w.lines.Add(1)
		case err != bufio.ErrBufferFull:
			return err
		}
	}
}

// readSlowly reads a watch until it ends, some bytes a second.
func (w *watchers) readSlowly(ctx context.Context, body io.Reader) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for buffer := make([]byte, slowBytes); ; {
		n, err := body.Read(buffer)
		w.bytes.Add(int64(n))
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// close ends all watches.
func (w *watchers) close() {
	w.cancel()
	w.ended.Wait()
}

// deploy creates a Deployment.
func (w *watchers) deploy(ctx context.Context, replicas int) error {
	body := fmt.Sprintf(`{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": %d,
		"selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}},
		"spec": {"containers": [{"name": "c", "image": "web:v1"}]}}}}`, replicas)
	address := w.server + "/apis/apps/v1/namespaces/default/deployments"
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	r.Header.Set("Content-Type", "application/json")
	response, err := w.client(false).Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		answer, _ := io.ReadAll(response.Body)
		return fmt.Errorf("the creation of the Deployment is answered with %s: %s", response.Status, answer)
	}
	return nil
}
