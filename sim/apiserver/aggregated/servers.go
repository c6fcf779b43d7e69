package aggregated

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/proxy"
	"k8s.io/apiserver/pkg/endpoints"
	"k8s.io/apiserver/pkg/endpoints/discovery"
	discoveryendpoint "k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	proxyrequest "k8s.io/apiserver/pkg/util/proxy"
	"k8s.io/client-go/transport"
	registrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	registrationhelper "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1/helper"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// Network is how other API servers are reached.
type Network struct {
	// Over returns a request with the TLS configuration of the connection that it is sent over.
	Over func(*http.Request, *tls.Config) *http.Request
	// Send sends it, and waits for the answer.
	Send func(*http.Request) (*http.Response, error)
}

// Version is a group version that another API server serves: an APIService that names a Service.
type Version struct {
	APIService *registrationv1.APIService
	// Resources is what the server last answered when it was asked for its resources, nil before it has answered.
	Resources *metav1.APIResourceList
}

// groupVersion is that of the APIService.
func (v Version) groupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: v.APIService.Spec.Group, Version: v.APIService.Spec.Version}
}

// isAvailable reports whether requests are forwarded.
func (v Version) isAvailable() bool {
	return registrationhelper.IsAPIServiceConditionTrue(v.APIService, registrationv1.Available)
}

// Servers are the other API servers, to which the requests for their group versions are forwarded. What they are is set by Set, in the
// place of kube-aggregator's controllers. All methods but Set may be called from any goroutine.
type Servers struct {
	network  Network
	versions atomic.Pointer[[]Version]
	// list is the document with all resources, which the versions are added to; nil before there is an HTTP interface.
	list discoveryendpoint.ResourceManager
}

// NewServers returns none.
func NewServers(network Network) *Servers {
	s := &Servers{network: network}
	s.versions.Store(&[]Version{})
	return s
}

// Set replaces the versions.
func (s *Servers) Set(versions []Version) {
	before := *s.versions.Swap(&versions)
	if s.list != nil {
		s.publish(before)
	}
}

// PublishIn adds the versions to the document with all resources, from now on.
func (s *Servers) PublishIn(list discoveryendpoint.ResourceManager) {
	s.list = list.WithSource(discoveryendpoint.AggregatorSource)
	s.publish(nil)
}

// publish replaces the versions of before in the document with all resources, as syncAPIService of kube-aggregator does: a version that
// has never answered is there without resources, and stale, like one that has stopped to answer.
func (s *Servers) publish(before []Version) {
	now := *s.versions.Load()
	for _, v := range before {
		gv := v.groupVersion()
		if !slices.ContainsFunc(now, func(other Version) bool { return other.groupVersion() == gv }) {
			s.list.RemoveGroupVersion(metav1.GroupVersion(gv))
		}
	}
	for _, v := range now {
		gv := v.groupVersion()
		entry := apidiscoveryv2.APIVersionDiscovery{Version: gv.Version, Freshness: apidiscoveryv2.DiscoveryFreshnessStale}
		if v.Resources != nil {
			// What does not convert has a subresource without its resource: the document leaves it out.
			entry.Resources, _ = endpoints.ConvertGroupVersionIntoToDiscovery(v.Resources.APIResources)
		}
		if v.isAvailable() {
			entry.Freshness = apidiscoveryv2.DiscoveryFreshnessCurrent
		}
		s.list.AddGroupVersion(gv.Group, entry)
		spec := v.APIService.Spec
		s.list.SetGroupVersionPriority(metav1.GroupVersion(gv), int(spec.GroupPriorityMinimum), int(spec.VersionPriority))
	}
}

// Any reports whether there is another API server.
func (s *Servers) Any() bool { return len(*s.versions.Load()) > 0 }

// Serves reports whether another API server serves a group version.
func (s *Servers) Serves(gv schema.GroupVersion) bool {
	_, ok := s.find(gv)
	return ok
}

func (s *Servers) find(gv schema.GroupVersion) (Version, bool) {
	all := *s.versions.Load()
	at := slices.IndexFunc(all, func(v Version) bool { return v.groupVersion() == gv })
	if at < 0 {
		return Version{}, false
	}
	return all[at], true
}

// Groups are those of the other servers, sorted as /apis lists them: by priority, and then by name.
func (s *Servers) Groups() []metav1.APIGroup {
	var services []*registrationv1.APIService
	for _, v := range *s.versions.Load() {
		services = append(services, v.APIService)
	}
	var groups []metav1.APIGroup
	for _, of := range registrationhelper.SortedByGroupAndVersion(services) {
		group := metav1.APIGroup{Name: of[0].Spec.Group}
		for _, service := range of {
			group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{
				GroupVersion: service.Spec.Group + "/" + service.Spec.Version, Version: service.Spec.Version,
			})
		}
		group.PreferredVersion = group.Versions[0]
		groups = append(groups, group)
	}
	return groups
}

// Handler serves the requests for the group versions of other servers, and leaves those for all others to local.
func (s *Servers) Handler(local http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
		if len(parts) < 2 || parts[0] != "apis" || !s.Any() {
			local.ServeHTTP(w, r)
			return
		}
		if len(parts) == 2 {
			s.serveGroup(w, r, parts[1], local)
			return
		}
		version, found := s.find(schema.GroupVersion{Group: parts[1], Version: parts[2]})
		switch {
		case !found:
			local.ServeHTTP(w, r)
		case !version.isAvailable() || len(parts) == 3 && version.Resources == nil:
			http.Error(w, "service unavailable", http.StatusServiceUnavailable)
		case len(parts) == 3:
			list := discovery.APIResourceListerFunc(func() []metav1.APIResource { return version.Resources.APIResources })
			discovery.NewAPIVersionHandler(legacyscheme.Codecs, version.groupVersion(), list).ServeHTTP(w, r)
		default:
			s.forward(w, r, version)
		}
	})
}

// serveGroup serves the document about a group. A group of this server has its own.
func (s *Servers) serveGroup(w http.ResponseWriter, r *http.Request, name string, local http.Handler) {
	groups := s.Groups()
	at := slices.IndexFunc(groups, func(group metav1.APIGroup) bool { return group.Name == name })
	if at < 0 {
		local.ServeHTTP(w, r)
		return
	}
	discovery.NewAPIGroupHandler(legacyscheme.Codecs, groups[at]).ServeHTTP(w, r)
}

// forward sends a request to the server of a version, with the name of its user, as kube-aggregator's proxyHandler does.
func (s *Servers) forward(w http.ResponseWriter, r *http.Request, v Version) {
	who, ok := genericrequest.UserFrom(r.Context())
	if !ok {
		http.Error(w, "missing user", http.StatusInternalServerError)
		return
	}
	location := Location(v.APIService)
	location.Path, location.RawQuery = r.URL.Path, r.URL.Query().Encode()
	request, cancel := proxyrequest.NewRequestForProxy(location, r)
	defer cancel()
	to := connection{s, v.APIService}
	connection := transport.NewAuthProxyRoundTripper(who.GetName(), who.GetUID(), who.GetGroups(), who.GetExtra(), to)
	proxy.NewUpgradeAwareHandler(location, connection, true, false, &responder{w}).ServeHTTP(w, request)
}

// Location is where the Service of an APIService is. The name of the Service stands for the address of an endpoint.
func Location(of *registrationv1.APIService) *url.URL {
	port := 443
	if of.Spec.Service.Port != nil {
		port = int(*of.Spec.Service.Port)
	}
	return &url.URL{Scheme: "https", Host: serverName(of) + ":" + strconv.Itoa(port)}
}

func serverName(of *registrationv1.APIService) string {
	return of.Spec.Service.Name + "." + of.Spec.Service.Namespace + ".svc"
}

// Connected returns a request to the server of an APIService with the TLS configuration that kube-aggregator's BuildTransportConfig gives
// it. The error is that of a caBundle that is none.
func (s *Servers) Connected(to *registrationv1.APIService, r *http.Request) (*http.Request, error) {
	config, err := transport.TLSConfigFor(&transport.Config{TLS: transport.TLSConfig{
		Insecure: to.Spec.InsecureSkipTLSVerify, ServerName: serverName(to), CAData: to.Spec.CABundle,
	}})
	if err != nil {
		return nil, err
	}
	return s.network.Over(r, config), nil
}

// connection carries requests to the server of an APIService.
type connection struct {
	servers *Servers
	to      *registrationv1.APIService
}

// RoundTrip implements http.RoundTripper.
func (c connection) RoundTrip(r *http.Request) (*http.Response, error) {
	r, err := c.servers.Connected(c.to, r)
	if err != nil {
		return nil, err
	}
	return c.servers.network.Send(r)
}

// responder answers when the other server does not: proxy.ErrorResponder.
type responder struct{ w http.ResponseWriter }

// Object implements rest.Responder.
func (r *responder) Object(code int, object runtime.Object) {
	responsewriters.WriteRawJSON(code, object, r.w)
}

// Error implements proxy.ErrorResponder.
func (r *responder) Error(_ http.ResponseWriter, _ *http.Request, err error) {
	http.Error(r.w, err.Error(), http.StatusServiceUnavailable)
}
