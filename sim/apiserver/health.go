package apiserver

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/apiserver/pkg/server/mux"
)

// Health answers a request for the server's health, and reports whether r is one. It does not need the HTTP interface: every manager
// sends one when it starts, and most simulations need no HTTP.
func Health(r *http.Request) (*http.Response, bool) {
	endpoint, _, _ := strings.Cut(strings.Trim(r.URL.Path, "/"), "/")
	if !slices.Contains(healthEndpoints, endpoint) {
		return nil, false
	}
	header := http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Cache-Control": {"no-cache, private"}}
	if r.URL.RawQuery == "" && strings.Trim(r.URL.Path, "/") == endpoint {
		return document{http.StatusOK, header, []byte("ok")}.response(r), true
	}
	recorder := httptest.NewRecorder()
	healthHandler().ServeHTTP(recorder, r)
	response := recorder.Result()
	response.Header.Set("Cache-Control", "no-cache, private")
	response.Request = r
	return response, true
}

var healthEndpoints = []string{"healthz", "livez", "readyz"}

// healthHandler is upstream's, with the checks of a kube-apiserver. A request is answered after the server has started, and nothing that
// they check can fail in a simulation: all of them succeed.
var healthHandler = sync.OnceValue(func() http.Handler {
	routes := mux.NewPathRecorderMux("health")
	for _, endpoint := range healthEndpoints {
		var checks []healthz.HealthChecker
		for _, name := range healthChecks(endpoint) {
			checks = append(checks, healthz.NamedCheck(name, func(*http.Request) error { return nil }))
		}
		healthz.InstallPathHandler(routes, "/"+endpoint, checks...)
	}
	return routes
})

// healthChecks are the checks of an endpoint, in the order in which a kube-apiserver v1.37.2 prints them.
func healthChecks(endpoint string) []string {
	checks := []string{"ping", "log"}
	if endpoint == "readyz" {
		checks = append(checks, "etcd", "etcd-readiness", "informer-sync")
	} else {
		checks = append(checks, "loopback-serving-certificate", "etcd")
	}
	for _, hook := range startHooks {
		if hook == "autoregister-completion" {
			checks = append(checks, hook)
			continue
		}
		checks = append(checks, "poststarthook/"+hook)
	}
	if endpoint == "readyz" {
		checks = append(checks, "shutdown")
	}
	return checks
}

// startHooks are what a kube-apiserver does after it has started. Each is a check; one of the checks among them is no hook.
var startHooks = []string{
	"start-apiserver-admission-initializer", "generic-apiserver-start-informers", "priority-and-fairness-config-consumer",
	"priority-and-fairness-filter", "storage-object-count-tracker-hook", "start-apiextensions-informers", "start-apiextensions-controllers",
	"crd-informer-synced", "start-system-namespaces-controller", "peer-endpoint-reconciler-controller",
	"start-cluster-authentication-info-controller", "start-kube-apiserver-identity-lease-controller",
	"start-kube-apiserver-identity-lease-garbage-collector", "storage-readiness", "start-legacy-token-tracking-controller",
	"start-service-ip-repair-controllers", "rbac/bootstrap-roles", "scheduling/bootstrap-system-priority-classes",
	"priority-and-fairness-config-producer", "bootstrap-controller", "start-kubernetes-service-cidr-controller",
	"start-kube-aggregator-informers", "apiservice-status-local-available-controller", "apiservice-status-remote-available-controller",
	"apiservice-registration-controller", "apiservice-discovery-controller", "kube-apiserver-autoregistration", "autoregister-completion",
	"apiservice-openapi-controller", "apiservice-openapiv3-controller",
}
