package apiserver

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-base/metrics"
)

// The metrics of a kube-apiserver measure real time, the memory of its process and its goroutines. What is the same in every run of a
// simulation is which requests were executed.

// requestKey are the labels of apiserver_request_total.
type requestKey struct {
	verb, dryRun, group, version, resource, subresource, scope string
	code                                                       int
}

// requestCounts counts the requests that were executed. Whoever holds the mutex does not wait.
type requestCounts struct {
	sync.Mutex
	of map[requestKey]int
}

// requestLabels are the names of the labels, in the order of values.
var requestLabels = []string{"verb", "dry_run", "group", "version", "resource", "subresource", "scope", "component", "code"}

func (k requestKey) values() []string {
	return []string{k.verb, k.dryRun, k.group, k.version, k.resource, k.subresource, k.scope, "apiserver", strconv.Itoa(k.code)}
}

// CountRequest counts a request that was executed and answered with a status code. Requests from outside of the simulation are not
// counted: a run is the same however often somebody looks.
func (s *Server) CountRequest(req Request, code int) {
	key := requestKey{
		verb: metricVerb(req), group: req.Resource.Group, version: req.Resource.Version, resource: req.Resource.Resource,
		subresource: req.Subresource, scope: "cluster", code: code,
	}
	switch {
	case req.Name != "" || req.Verb == "create" || req.Verb == "update":
		key.scope = "resource"
	case req.Namespace != "":
		key.scope = "namespace"
	}
	options := [...][]string{req.CreateOptions.DryRun, req.UpdateOptions.DryRun, req.PatchOptions.DryRun, req.DeleteOptions.DryRun}
	for _, dry := range options {
		if len(dry) > 0 {
			key.dryRun = dry[0]
		}
	}
	s.requests.Lock()
	defer s.requests.Unlock()
	if s.requests.of == nil {
		s.requests.of = map[requestKey]int{}
	}
	s.requests.of[key]++
}

// metricVerb is the verb of a request in the metrics.
func metricVerb(req Request) string {
	if req.Verb == "patch" && req.PatchType == types.ApplyPatchType {
		return "APPLY"
	}
	return metricVerbs[req.Verb]
}

// metricVerbs are those of all other requests.
var metricVerbs = map[string]string{
	"get": "GET", "list": "LIST", "create": "POST", "update": "PUT", "patch": "PATCH",
	"delete": "DELETE", "deletecollection": "DELETECOLLECTION",
}

// metricsDocument answers GET /metrics.
func (s *Server) metricsDocument(r *http.Request) *http.Response {
	total := metrics.NewCounterVec(&metrics.CounterOpts{
		Name: "apiserver_request_total", StabilityLevel: metrics.STABLE,
		Help: "Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, " +
			"and HTTP response code.",
	}, requestLabels)
	registry := metrics.NewKubeRegistry()
	registry.MustRegister(total)
	s.requests.Lock()
	for key, count := range s.requests.of {
		total.WithLabelValues(key.values()...).Add(float64(count))
	}
	s.requests.Unlock()
	recorder := httptest.NewRecorder()
	// A client that accepts a compressed form gets the plain one.
	r = r.Clone(r.Context())
	r.Header.Del("Accept-Encoding")
	metrics.HandlerFor(registry, metrics.HandlerOpts{}).ServeHTTP(recorder, r)
	response := recorder.Result()
	response.Request = r
	return response
}
