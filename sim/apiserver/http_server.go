package apiserver

import (
	"fmt"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	genericfilters "k8s.io/apiserver/pkg/endpoints/filters"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/compatibility"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// newHandler installs the storages of all groups under upstream's HTTP handlers. Nothing listens: the
// handler is called. It costs as much as some hundred requests, most of it for the OpenAPI models that
// server-side apply needs, so it is made when somebody asks.
func newHandler(groups []genericapiserver.APIGroupInfo, plugins admission.Interface) (http.Handler, error) {
	server, err := newGenericServer(plugins)
	if err != nil {
		return nil, err
	}
	// The models are built once for each call, so all groups but core go in one.
	var named []*genericapiserver.APIGroupInfo
	for _, group := range groups {
		// Upstream would warn of each version that is off.
		group.PrioritizedVersions = slices.DeleteFunc(slices.Clone(group.PrioritizedVersions), func(v schema.GroupVersion) bool {
			return len(group.VersionedResourcesStorageMap[v.Version]) == 0
		})
		if groupName(group) != "" {
			named = append(named, &group)
			continue
		}
		if err := server.InstallLegacyAPIGroup(genericapiserver.DefaultLegacyAPIPrefix, &group); err != nil {
			return nil, fmt.Errorf("installing /api: %w", err)
		}
	}
	if err := server.InstallAPIGroups(named...); err != nil {
		return nil, fmt.Errorf("installing /apis: %w", err)
	}
	server.PrepareRun()
	return server.Handler, nil
}

// newGenericServer configures a server without a socket, authentication and metrics.
func newGenericServer(plugins admission.Interface) (*genericapiserver.GenericAPIServer, error) {
	namer := openapinamer.NewDefinitionNamer(legacyscheme.Scheme)
	config := genericapiserver.NewConfig(legacyscheme.Codecs)
	config.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	config.ExternalAddress = externalAddress
	config.LoopbackClientConfig = noLoopback()
	config.AdmissionControl = plugins
	// Updates that may create ask for the permission to create.
	config.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(openapi.GetOpenAPIDefinitions, namer)
	config.OpenAPIV3Config.Info.Title = "Kubernetes"
	config.EnableProfiling, config.EnableMetrics = false, false
	config.BuildHandlerChainFunc = handlerChain
	return config.Complete(nil).New("kube-apiserver", genericapiserver.NewEmptyDelegate())
}

// externalAddress is where the server says that it can be reached. Nobody listens there.
const externalAddress = "127.0.0.1:6443"

// handlerChain is what is left of kube-apiserver's chain of filters. Of the others, some do what the gate
// of the simulation does (limits, deadlines), some belong to a network (CORS, timeouts, shutdown), and the
// user is put into the context by HTTP.Do.
func handlerChain(handler http.Handler, config *genericapiserver.Config) http.Handler {
	handler = genericfilters.WithWarningRecorder(handler)
	handler = genericfilters.WithRequestInfo(handler, config.RequestInfoResolver)
	return genericfilters.WithAuditInit(handler)
}
