package webhook

import (
	"context"
	"crypto/tls"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// tlsKey is that of a context with the configuration of the connection that a call would open.
type tlsKey struct{}

// WithTLS returns a request with the TLS configuration that a transport has: the caBundle of the webhook, and the name of its server.
func WithTLS(r *http.Request, transport http.RoundTripper) *http.Request {
	config, err := utilnet.TLSClientConfig(transport)
	if err != nil || config == nil {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), tlsKey{}, config))
}

// TLSOf is the configuration of the connection that a call would open, or nil.
func TLSOf(ctx context.Context) *tls.Config {
	config, _ := ctx.Value(tlsKey{}).(*tls.Config)
	return config
}
