package extensions

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	restclient "k8s.io/client-go/rest"

	"github.com/kubestep/kubestep/sim/apiserver/webhook"
)

// Which objects a conversion webhook converts, what it is sent, and which answers are refused, is decided by upstream's converter
// (pkg/apiserver/conversion/webhook_converter.go). Only the connection is ours: the configuration that its clients are made of
// wraps their transport.

// Converts reports whether a webhook converts the objects of a resource, as far as the server has heard.
func (s *Server) Converts(resource schema.GroupResource) bool {
	crd := s.Definition(resource)
	return crd != nil && crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
}

// connect makes the clients of conversion webhooks use the caller of the configuration.
func (s *Server) connect(upstream webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
	wrapped := func(config *restclient.Config, err error) (*restclient.Config, error) {
		if err != nil {
			return nil, err
		}
		config.Wrap(func(upstream http.RoundTripper) http.RoundTripper { return calls{s, upstream} })
		return config, nil
	}
	return &webhookutil.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc: func(hostPort string) (*restclient.Config, error) {
			return wrapped(upstream.ClientConfigFor(hostPort))
		},
		ClientConfigForServiceFunc: func(service, namespace string, port int) (*restclient.Config, error) {
			return wrapped(upstream.ClientConfigForService(service, namespace, port))
		},
	}
}

// calls hands the requests for conversion webhooks to the caller of the configuration.
type calls struct {
	server *Server
	// upstream is the transport that would connect.
	upstream http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (c calls) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.server.config.CallWebhook == nil {
		return nil, webhook.Refused(r.URL.Host)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r = webhook.WithTLS(r.Clone(r.Context()), c.upstream)
	r.Body = io.NopCloser(bytes.NewReader(body))
	name := c.server.askedDefinition(body)
	return c.server.config.CallWebhook(webhook.Name{Configuration: name, Webhook: name, Type: webhook.Conversion}, r)
}

// askedDefinition is the name of the definition whose objects are to be converted. Several definitions may share a client, so it depends on
// the objects.
func (s *Server) askedDefinition(body []byte) string {
	var question struct {
		Request struct {
			Objects []struct{ APIVersion, Kind string }
		}
	}
	if json.Unmarshal(body, &question) != nil || len(question.Request.Objects) == 0 {
		return ""
	}
	kind := schema.FromAPIVersionAndKind(question.Request.Objects[0].APIVersion, question.Request.Objects[0].Kind).GroupKind()
	// The lister of a cache never returns an error.
	all, _ := s.upstream.Informers.Apiextensions().V1().CustomResourceDefinitions().Lister().List(labels.Everything())
	for _, crd := range all {
		if crd.Spec.Group == kind.Group && crd.Spec.Names.Kind == kind.Kind {
			return crd.Name
		}
	}
	return kind.String()
}
