package serving

import (
	"io"
	"net/http"
	"time"
)

// How long a client may take, by the clock of the machine. Nothing limits an answer: watches, and requests that let time pass, last as
// long as their clients want. The first two are those of kube-apiserver (Serve in k8s.io/apiserver/pkg/server/secure_serving.go), the
// last is the default of its --request-timeout.
const (
	headerTimeout = 32 * time.Second
	idleTimeout   = 90 * time.Second
	bodyTimeout   = time.Minute
)

// newServer returns a server that ends connections of clients that send nothing, or too slowly.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: bodiesEnd(handler), ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout}
}

// bodiesEnd limits the time in which the body of a request arrives. A ReadTimeout of the server would end watches, too.
func bodiesEnd(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			connection := http.NewResponseController(w)
			if connection.SetReadDeadline(time.Now().Add(bodyTimeout)) == nil {
				r.Body = &body{r.Body, connection}
			}
		}
		handler.ServeHTTP(w, r)
	})
}

// body is the body of a request. When it has arrived, its connection has time again: the server reads from it to learn that a client
// has gone.
type body struct {
	io.ReadCloser
	connection *http.ResponseController
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}
