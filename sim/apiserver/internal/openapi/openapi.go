// Package openapi describes kube-apiserver's own API to its clients.
//
// The models of all kinds are data that Kubernetes generates. Server-side apply needs them from the start. The documents
// that clients read at /openapi are made of the models and of all routes, which costs as much as a small rollout, and
// nearly no simulation has a client that asks for them: version 3 is made when the first one does, and version 2, one
// document of several megabytes, has a server of its own.
package openapi

import (
	"net/http"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/apiserver/pkg/features"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/mux"
	"k8s.io/apiserver/pkg/server/routes"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	openapiutil "k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	generated "k8s.io/kubernetes/pkg/generated/openapi"
)

const title = "Kubernetes"

// Configure sets the models of a server to be. With withV2 the server serves version 2 as well, and makes the documents of
// both versions at once; without, Serve adds version 3 later.
func Configure(config *genericapiserver.Config, withV2 bool) {
	v3 := *modelsOf(utilfeature.DefaultFeatureGate.Enabled(features.OpenAPIEnums))()
	v3.Info = &spec.Info{InfoProps: v3.Info.InfoProps}
	config.OpenAPIV3Config = &v3
	config.SkipOpenAPIInstallation = !withV2
	if withV2 {
		config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions, namer())
		config.OpenAPIConfig.Info.Title = title
	}
}

// The definitions of all kinds and their names are the same for all servers of a process. One feature gate changes the definitions.
var (
	definitions  = openapiutil.GetOpenAPIDefinitionsWithoutDisabledFeatures(generated.GetOpenAPIDefinitions)
	namer        = sync.OnceValue(func() *openapinamer.DefinitionNamer { return openapinamer.NewDefinitionNamer(legacyscheme.Scheme) })
	withEnums    = sync.OnceValue(newModels)
	withoutEnums = sync.OnceValue(newModels)
)

func modelsOf(enums bool) func() *common.OpenAPIV3Config {
	if enums {
		return withEnums
	}
	return withoutEnums
}

// newModels has the definitions under the feature gates of now.
func newModels() *common.OpenAPIV3Config {
	config := genericapiserver.DefaultOpenAPIV3Config(definitions, namer())
	config.Info.Title = title
	return config
}

// Models are those of kinds, and of what is in them, as a server builds them that serves the kinds. They need no server.
func Models(kinds []schema.GroupVersionKind) (map[string]*spec.Schema, error) {
	var names []string
	for _, kind := range kinds {
		sample, err := legacyscheme.Scheme.New(kind)
		if err != nil {
			return nil, err
		}
		names = append(names, util.GetCanonicalTypeName(sample))
	}
	var config genericapiserver.Config
	Configure(&config, false)
	slices.Sort(names)
	return builder3.BuildOpenAPIDefinitionsForResources(config.OpenAPIV3Config, slices.Compact(names)...)
}

// Serve lets a server without version 2 answer requests for version 3. The first request makes the documents.
func Serve(server *genericapiserver.GenericAPIServer, config *common.OpenAPIV3Config) {
	documents := sync.OnceValue(func() http.Handler {
		served := mux.NewPathRecorderMux("openapi")
		routes.OpenAPI{V3Config: config}.InstallV3(server.Handler.GoRestfulContainer, served)
		return served
	})
	lazy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { documents().ServeHTTP(w, r) })
	server.Handler.NonGoRestfulMux.Handle("/openapi/v3", lazy)
	server.Handler.NonGoRestfulMux.HandlePrefix("/openapi/v3/", lazy)
}
