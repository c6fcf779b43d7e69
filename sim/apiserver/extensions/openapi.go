package extensions

import (
	"net/http"
	"strings"

	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/mux"
	openapiaggregator "k8s.io/kube-aggregator/pkg/controllers/openapi/aggregator"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// chained is kube-apiserver with apiextensions-apiserver behind it. It does not delegate to that server, but the aggregator asks
// both for their documents.
type chained struct {
	genericapiserver.DelegationTarget
	next genericapiserver.DelegationTarget
}

// NextDelegate implements genericapiserver.DelegationTarget.
func (c chained) NextDelegate() genericapiserver.DelegationTarget { return c.next }

// OpenAPIV2 serves OpenAPI v2 with the definitions. The aggregator is upstream's: it asks for the document of
// kube-apiserver once, and for the other one whenever a client asks, and joins them when that one has changed.
func (s *Server) OpenAPIV2(server *genericapiserver.GenericAPIServer) (http.Handler, error) {
	namer := openapinamer.NewDefinitionNamer(legacyscheme.Scheme)
	config := genericapiserver.DefaultOpenAPIConfig(openapi.GetOpenAPIDefinitions, namer)
	config.Info.Title = "Kubernetes"
	config.Info.Version, _, _ = strings.Cut(server.EffectiveVersion.Info().String(), "-")
	handler := mux.NewPathRecorderMux("aggregator")
	downloader := openapiaggregator.NewDownloader()
	_, err := openapiaggregator.BuildAndRegisterAggregator(
		&downloader, chained{server, s.Delegate()}, nil, config, handler)
	return handler, err
}
