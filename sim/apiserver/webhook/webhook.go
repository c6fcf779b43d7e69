// Package webhook makes the API server call admission webhooks without a network.
//
// Which webhooks a request is for, what they are sent, what their patches change, and what happens when a call fails, is
// decided by upstream's admission plugins MutatingAdmissionWebhook and ValidatingAdmissionWebhook. Only the connection is
// ours: each plugin asks the accessor of a webhook for a client, and here the client of every webhook hands its requests to a
// Caller, together with the name of the webhook, which the plugin would send nowhere.
package webhook

import (
	"net/http"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	restclient "k8s.io/client-go/rest"
)

// Name says which webhook is called.
type Name struct {
	// Configuration is the name of the MutatingWebhookConfiguration, ValidatingWebhookConfiguration or CustomResourceDefinition.
	Configuration string
	// Webhook is the webhook's own name, that of the definition if it converts.
	Webhook string
	Type    Type
}

// Type is what a webhook does.
type Type string

// The types of webhooks.
const (
	Mutating   Type = "mutating"
	Validating Type = "validating"
	// Conversion webhooks are those of CustomResourceDefinitions. Package extensions calls them.
	Conversion Type = "conversion"
)

// Caller sends a request to a webhook and waits for the response. The request's context ends after the webhook's
// timeoutSeconds, or after 30 seconds if it converts.
type Caller func(to Name, r *http.Request) (*http.Response, error)

// Initializer implements admission.PluginInitializer. Without a Caller, every connection is refused.
type Initializer struct{ Call Caller }

// Initialize implements admission.PluginInitializer.
func (i Initializer) Initialize(plugin admission.Interface) {
	switch of := plugin.(type) {
	case *mutating.Plugin:
		i.replaceClients(of.Webhook, Mutating)
	case *validating.Plugin:
		i.replaceClients(of.Webhook, Validating)
	}
}

// replaceClients gives all webhooks of a plugin clients that use the Caller.
func (i Initializer) replaceClients(plugin *generic.Webhook, kind Type) {
	replaceSource(plugin, func(upstream generic.Source) generic.Source {
		return &source{Source: upstream, kind: kind, call: i.Call, clients: map[webhook.WebhookAccessor]*restclient.RESTClient{}}
	})
}

// source lists the webhooks of all configurations.
type source struct {
	generic.Source
	kind Type
	call Caller

	mu      sync.Mutex
	clients map[webhook.WebhookAccessor]*restclient.RESTClient
}

// Webhooks implements generic.Source.
func (s *source) Webhooks() []webhook.WebhookAccessor {
	var out []webhook.WebhookAccessor
	for _, hook := range s.Source.Webhooks() {
		out = append(out, accessor{hook, s})
	}
	return out
}

// accessor is a webhook with another client.
type accessor struct {
	webhook.WebhookAccessor
	source *source
}

// GetRESTClient implements webhook.WebhookAccessor.
func (a accessor) GetRESTClient(*webhookutil.ClientManager) (*restclient.RESTClient, error) {
	s := a.source
	s.mu.Lock()
	defer s.mu.Unlock()
	if client := s.clients[a.WebhookAccessor]; client != nil {
		return client, nil
	}
	// Webhooks with one address share a client of a manager, so each has a manager of its own.
	clients, err := newClients()
	if err != nil {
		return nil, err
	}
	// Upstream checks the address and the caBundle.
	client, err := a.WebhookAccessor.GetRESTClient(&clients)
	if err != nil {
		return nil, err
	}
	name, upstream := Name{a.GetConfigurationName(), a.GetName(), s.kind}, client.Client.Transport
	client.Client = &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		if s.call == nil {
			return nil, Refused(r.URL.Host)
		}
		return s.call(name, WithTLS(r, upstream))
	})}
	s.clients[a.WebhookAccessor] = client
	return client, nil
}

// newClients is what upstream's plugins have.
func newClients() (webhookutil.ClientManager, error) {
	clients, err := webhookutil.NewClientManager(
		[]schema.GroupVersion{admissionv1beta1.SchemeGroupVersion, admissionv1.SchemeGroupVersion},
		admissionv1beta1.AddToScheme, admissionv1.AddToScheme)
	if err != nil {
		return clients, err
	}
	authentication, err := webhookutil.NewDefaultAuthenticationInfoResolver("")
	if err != nil {
		return clients, err
	}
	clients.SetAuthenticationInfoResolver(authentication)
	clients.SetServiceResolver(webhookutil.NewDefaultServiceResolver())
	return clients, nil
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
