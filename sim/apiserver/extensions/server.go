package extensions

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver"
	extensionsopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	discoveryendpoint "k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/compatibility"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	restclient "k8s.io/client-go/rest"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
)

// Config is what a Server needs of the kube-apiserver that it is part of.
type Config struct {
	DB *memdb.DB
	// Root is the prefix of all keys.
	Root string
	// Transport carries the requests of the server's own controllers to kube-apiserver.
	Transport  http.RoundTripper
	Admission  admission.Interface
	Authorizer authorizer.Authorizer
	// Address is where kube-apiserver says that it can be reached.
	Address string
	// CallWebhook calls a conversion webhook. Nil means that there is nothing to connect to.
	CallWebhook webhook.Caller
}

// Server is apiextensions-apiserver.
type Server struct {
	config   Config
	upstream *upstream.CustomResourceDefinitions
	// discovery is the list of all groups and resources, which kube-apiserver shares.
	discovery discoveryendpoint.ResourceManager
}

// New makes a server that does not run yet.
func New(config Config) (*Server, error) {
	atMostEverySecond.forget()
	s := &Server{config: config, discovery: discoveryendpoint.NewResourceManager("apis")}
	whole := upstream.Config{
		GenericConfig: &genericapiserver.RecommendedConfig{Config: *s.generic()},
		ExtraConfig: upstream.ExtraConfig{
			CRDRESTOptionsGetter: stores{s, unstructured.UnstructuredJSONScheme},
			// One server need not wait for the others to see a definition.
			MasterCount: 1, AuthResolverWrapper: s.connect, ServiceResolver: webhookutil.NewDefaultServiceResolver(),
		},
	}
	var err error
	if s.upstream, err = whole.Complete().New(genericapiserver.NewEmptyDelegate()); err != nil {
		return nil, fmt.Errorf("apiextensions-apiserver: %w", err)
	}
	return s, nil
}

// generic is the configuration of a server without a socket. Its handlers are behind the filters of kube-apiserver.
func (s *Server) generic() *genericapiserver.Config {
	config := genericapiserver.NewConfig(upstream.Codecs)
	config.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	config.ExternalAddress = s.config.Address
	config.LoopbackClientConfig = &restclient.Config{
		Host: "http://kube-apiserver", Transport: s.config.Transport, QPS: -1, UserAgent: "kubestep/apiextensions-apiserver",
		ContentConfig: restclient.ContentConfig{
			AcceptContentTypes: runtime.ContentTypeJSON, ContentType: runtime.ContentTypeJSON,
		},
	}
	config.AdmissionControl = s.config.Admission
	config.Authorization.Authorizer = s.config.Authorizer
	namer := openapinamer.NewDefinitionNamer(upstream.Scheme, clientscheme.Scheme)
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(extensionsopenapi.GetOpenAPIDefinitions, namer)
	config.OpenAPIConfig.Info.Title = "Kubernetes"
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(extensionsopenapi.GetOpenAPIDefinitions, namer)
	config.OpenAPIV3Config.Info.Title = "Kubernetes"
	config.EnableIndex, config.EnableProfiling, config.EnableMetrics = false, false, false
	config.StorageObjectCountTracker = nil
	config.BuildHandlerChainFunc = func(handler http.Handler, _ *genericapiserver.Config) http.Handler { return handler }
	config.AggregatedDiscoveryGroupManager = s.discovery
	config.MergedResourceConfig = upstream.DefaultAPIResourceConfigSource()
	// Upstream stores definitions in the version that takes less space.
	config.RESTOptionsGetter = stores{s, upstream.Codecs.LegacyCodec(
		apiextensionsv1beta1.SchemeGroupVersion, apiextensionsv1.SchemeGroupVersion)}
	return config
}

// Delegate is what kube-apiserver delegates requests to.
func (s *Server) Delegate() genericapiserver.DelegationTarget { return s.upstream.GenericAPIServer }

// Discovery is the list of all groups and resources, to which kube-apiserver adds its own.
func (s *Server) Discovery() discoveryendpoint.ResourceManager {
	return s.discovery.WithSource(discoveryendpoint.BuiltinSource)
}

// Run starts the controllers of the server, after kube-apiserver's PrepareRun. They end with the context.
func (s *Server) Run(ctx context.Context) { runHooks(ctx, s.upstream.GenericAPIServer) }

// Handler serves the requests for custom resources and the documents about them.
func (s *Server) Handler() http.Handler { return s.upstream.GenericAPIServer.Handler }

// Groups lists the groups that have definitions, with that of definitions itself, sorted.
func (s *Server) Groups() []string {
	// The lister of a cache that is being filled has what it has; it never returns an error.
	all, _ := s.upstream.Informers.Apiextensions().V1().CustomResourceDefinitions().Lister().List(labels.Everything())
	groups := []string{Definitions.Group}
	for _, crd := range all {
		groups = append(groups, crd.Spec.Group)
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}

// Definition is the definition of a resource, nil if the server has not heard of one. It is shared.
func (s *Server) Definition(resource schema.GroupResource) *apiextensionsv1.CustomResourceDefinition {
	found, err := s.upstream.Informers.Apiextensions().V1().CustomResourceDefinitions().Lister().Get(resource.String())
	if err != nil {
		return nil
	}
	return found
}

// Established is when the definition of a resource was established, as far as the server has heard; zero if it was not.
func (s *Server) Established(resource schema.GroupResource) time.Time {
	if crd := s.Definition(resource); crd != nil {
		condition := apihelpers.FindCRDCondition(crd, apiextensionsv1.Established)
		if condition != nil && condition.Status == apiextensionsv1.ConditionTrue {
			return condition.LastTransitionTime.Time
		}
	}
	return time.Time{}
}
