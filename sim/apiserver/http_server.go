package apiserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	genericfilters "k8s.io/apiserver/pkg/endpoints/filters"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/compatibility"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/internal/openapi"
	"github.com/kubestep/kubestep/sim/apiserver/token"
)

// newHandler installs the storages of all groups under upstream's HTTP handlers. Nothing listens: the
// handler is called. It costs as much as a hundred requests, so it is made when somebody asks. OpenAPI v2 has a handler of
// its own.
func newHandler(groups []genericapiserver.APIGroupInfo, s *Server, withV2 bool) (http.Handler, error) {
	server, config, err := newGenericServer(s, withV2)
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
	if s.customResources && !withV2 {
		for _, group := range named {
			for _, gv := range group.PrioritizedVersions {
				server.AggregatedDiscoveryGroupManager.SetGroupVersionPriority(metav1.GroupVersion(gv), builtInPriority, 15)
			}
		}
	}
	if err := s.tokens.ServeKeys(server); err != nil {
		return nil, err
	}
	server.PrepareRun()
	if !withV2 {
		s.others.PublishIn(server.AggregatedDiscoveryGroupManager)
		openapi.Serve(server, config.OpenAPIV3Config)
	}
	if s.customResources && withV2 {
		handler, err := s.extensions.OpenAPIV2(server)
		return filtered(handler, s, resolver, false), err
	}
	return server.Handler, nil
}

// builtInPriority puts kube-apiserver's own groups before those of definitions, whose priority is 1000. All have the same: their
// order is that of their names, as it is without definitions.
const builtInPriority = 17000

// newGenericServer configures a server without a socket.
func newGenericServer(s *Server, withV2 bool) (*genericapiserver.GenericAPIServer, *genericapiserver.Config, error) {
	config := genericapiserver.NewConfig(legacyscheme.Codecs)
	config.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	config.ExternalAddress = externalAddress
	config.LoopbackClientConfig = noLoopback()
	config.AdmissionControl = s.admission
	// Updates that may create ask for the permission to create.
	config.Authorization.Authorizer = s.authorizer
	openapi.Configure(config, withV2)
	// With profiling, metrics can be reset by DELETE.
	config.EnableProfiling, config.EnableMetrics = s.servesMetrics, s.servesMetrics
	delegate := genericapiserver.NewEmptyDelegate()
	if s.customResources && !withV2 {
		delegate = s.extensions.Delegate()
		config.AggregatedDiscoveryGroupManager = s.extensions.Discovery()
	}
	config.BuildHandlerChainFunc = func(handler http.Handler, config *genericapiserver.Config) http.Handler {
		return filtered(s.others.Handler(handler), s, config.RequestInfoResolver, true)
	}
	server, err := config.Complete(nil).New("kube-apiserver", delegate)
	return server, config, err
}

// filtered is what is left of kube-apiserver's chain of filters. Of the others, some do what the gate of the simulation does
// (limits, deadlines), some belong to a network (CORS, timeouts, shutdown), and the user of a request without a token is put
// into the context by HTTP.Do. writes is that of token.New.
func filtered(handler http.Handler, s *Server, resolver genericrequest.RequestInfoResolver, writes bool) http.Handler {
	authorize, codecs := s.authorizer, legacyscheme.Codecs
	handler = genericfilters.WithAuthorization(handler, authorize, codecs)
	handler = token.WithImpersonation(handler, authorize, codecs)
	refuse := genericfilters.Unauthorized(codecs)
	if s.access != nil && s.access.Audit != nil {
		handler = genericfilters.WithAudit(handler, s.access.Audit, s.access.AuditPolicy, isLong)
		refuse = genericfilters.WithFailedAuthenticationAudit(refuse, s.access.Audit, s.access.AuditPolicy)
	}
	if authenticate := s.authenticator(writes); authenticate != nil {
		handler = genericfilters.WithAuthentication(handler, authenticate, refuse, s.audiences(), nil)
	}
	handler = withTimeoutChecked(handler)
	handler = genericfilters.WithWarningRecorder(handler)
	handler = genericfilters.WithCacheControl(handler)
	handler = genericfilters.WithRequestInfo(handler, resolver)
	return genericfilters.WithAuditInit(handler)
}

// authentication finds the users of requests with tokens.
func (s *Server) authentication(writes bool) *token.Request {
	return token.New(NewClientset(direct{s, Self}, nil), s.caches, *s.tokens, writes)
}

// Authenticate finds the user of a request with a token.
func (h *HTTP) Authenticate(r *http.Request) (user.Info, error) {
	if h.accounts == nil {
		return nil, errors.New("the server accepts no tokens")
	}
	found, ok, err := h.accounts.AuthenticateRequest(r)
	if !ok || err != nil {
		return nil, cmp.Or(err, errors.New("the token is not known"))
	}
	return found.User, nil
}

// newFilters has the filters of a handler for requests that are executed elsewhere. They run on the goroutine of a client,
// and write nothing.
func newFilters(s *Server) http.Handler {
	passed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if found, ok := r.Context().Value(foundUser{}).(*user.Info); ok {
			*found, _ = genericrequest.UserFrom(r.Context())
		}
		w.WriteHeader(http.StatusOK)
	})
	return filtered(passed, s, resolver, false)
}

// foundUser is the key in a context of where newFilters puts the user that the filters have found.
type foundUser struct{}

// Authorize asks upstream's filters whether the user of a watch, or the one that it impersonates, may watch. The
// response is nil if so. Other requests pass the same filters on their way to their handler.
func (h *HTTP) Authorize(w *Wire) (*http.Response, error) {
	found := h.server.userOf(w.Request)
	r := w.http.WithContext(context.WithValue(w.http.Context(), foundUser{}, &found))
	response, err := call(h.filters, r, found, w.http.Header, nil)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	// A watch of a custom resource asks the filters again, without the credentials of the request.
	w.authorized, w.User = true, found
	return nil, nil
}
