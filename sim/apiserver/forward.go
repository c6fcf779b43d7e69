package apiserver

import (
	"crypto/tls"
	"errors"
	"net/http"

	"github.com/kubestep/kubestep/sim/apiserver/aggregated"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
)

// Requests for a group version with an APIService that names a Service are forwarded by the HTTP front alone: what they are about has no
// type here.

// toOthers is how the server reaches other API servers.
func toOthers(options Options) aggregated.Network {
	network := aggregated.Network{
		Send: options.CallServer,
		Over: func(r *http.Request, config *tls.Config) *http.Request {
			return webhook.WithTLS(r, &http.Transport{TLSClientConfig: config})
		},
	}
	if network.Send == nil {
		network.Send = func(*http.Request) (*http.Response, error) { return nil, errors.New("there is no network") }
	}
	return network
}
