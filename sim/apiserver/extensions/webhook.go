package extensions

import (
	"errors"

	"k8s.io/apiserver/pkg/util/webhook"
	restclient "k8s.io/client-go/rest"
)

// withoutWebhooks keeps the server from calling the webhooks that convert objects: nothing in a simulation has an address.
func withoutWebhooks(webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver {
	return refusing{}
}

type refusing struct{}

var errWebhook = errors.New("webhooks are not simulated")

// ClientConfigFor implements webhook.AuthenticationInfoResolver.
func (refusing) ClientConfigFor(string) (*restclient.Config, error) { return nil, errWebhook }

// ClientConfigForService implements webhook.AuthenticationInfoResolver.
func (refusing) ClientConfigForService(string, string, int) (*restclient.Config, error) {
	return nil, errWebhook
}
