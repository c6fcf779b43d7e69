package serving

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a network without sockets: its connections live in virtual time.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	connection, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return connection, nil
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// connect is a client of a server that reads a body and then sends an event each ten seconds, for as long as the path says.
func connect(t *testing.T) net.Conn {
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusRequestTimeout)
			return
		}
		lasts, err := time.ParseDuration(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil {
			t.Error(err)
		}
		for end := time.Now().Add(lasts); time.Now().Before(end) && r.Context().Err() == nil; time.Sleep(10 * time.Second) {
			_, _ = io.WriteString(w, "event\n")
			_ = http.NewResponseController(w).Flush()
		}
	}))
	network := make(pipes)
	go func() { _ = server.Serve(network) }()
	here, there := net.Pipe()
	network <- there
	t.Cleanup(func() {
		here.Close()
		close(network)
		server.Close()
	})
	return here
}

// TestSlowClients is a client that sends its requests in pieces, with the time between them. What it waits for or sends too slowly
// ends; what the server sends lasts.
func TestSlowClients(t *testing.T) {
	for _, test := range []struct {
		name, head, piece string
		pieces            int
		// events is how many the client gets, lasts how long its connection.
		events int
		lasts  time.Duration
		says   string
	}{
		{"an idle connection", "GET /0s HTTP/1.1\r\nHost: h\r\n\r\n", "", 0, 0, idleTimeout, "200 OK"},
		{"a connection without a request", "", "", 0, 0, headerTimeout, ""},
		{"a slow header", "GET /0s HTTP/1.1\r\n", "a: b\r\n", 1000, 0, headerTimeout, ""},
		{"a slow body", "POST /0s HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n", "x", 1000, 0, bodyTimeout, "408 Request Timeout"},
		{"a body", "POST /0s HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n", "x", 20, 0, 20*time.Second + idleTimeout, "200 OK"},
		{"a watch", "GET /2m HTTP/1.1\r\nHost: h\r\n\r\n", "", 0, 12, 2*time.Minute + idleTimeout, "200 OK"},
		{"a watch after a body", "POST /10m HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n", "x", 2, 60, 10*time.Minute + 2*time.Second + idleTimeout, "200 OK"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				connection, began := connect(t), time.Now()
				sent := make(chan bool)
				go func() {
					defer close(sent)
					_, _ = io.WriteString(connection, test.head)
					for range test.pieces {
						time.Sleep(time.Second)
						if _, err := io.WriteString(connection, test.piece); err != nil {
							return
						}
					}
				}()
				answer, _ := io.ReadAll(connection)
				lasts := time.Since(began)
				<-sent
				if (lasts - test.lasts).Abs() > time.Second {
					t.Errorf("the connection lasts %s, not %s", lasts, test.lasts)
				}
				if events := strings.Count(string(answer), "event"); events != test.events || !strings.Contains(string(answer), test.says) {
					t.Errorf("%d events in\n%s", events, answer)
				}
			})
		})
	}
}
