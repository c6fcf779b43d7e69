package controlplane_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	registrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/bubble"
	"github.com/kubestep/kubestep/sim/cluster/program"
	"github.com/kubestep/kubestep/sim/trace"
)

// programs makes the registered programs answer.
type programs struct{}

func (programs) Start(s *sim.Simulation) error { program.Start(s); return nil }
func (programs) Err() error                    { return nil }

// records keeps the trace.
type records []*trace.Record

func (r *records) add(record *trace.Record, _ []byte) { *r = append(*r, record) }

// client sends requests in a cluster, and fails the test if the answer is not what it should be.
type client struct {
	t *testing.T
	http.RoundTripper
}

func (c client) ask(method, path, body string, code int) string {
	c.t.Helper()
	r := httptest.NewRequest(method, "http://kube-apiserver"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	response, err := c.RoundTrip(r)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	data, _ := io.ReadAll(response.Body)
	if response.StatusCode != code {
		c.t.Errorf("%s %s: %d %s, want %d", method, path, response.StatusCode, data, code)
	}
	return string(data)
}

// condition is the reason and the status of an APIService, a second later.
func (c client) condition(name string) string {
	c.t.Helper()
	time.Sleep(time.Second)
	var service registrationv1.APIService
	if err := json.Unmarshal([]byte(c.ask("GET", "/apis/apiregistration.k8s.io/v1/apiservices/"+name, "", 200)), &service); err != nil {
		c.t.Fatal(err)
	}
	if len(service.Status.Conditions) != 1 {
		return fmt.Sprint(service.Status.Conditions)
	}
	return service.Status.Conditions[0].Reason + " " + string(service.Status.Conditions[0].Status)
}

// encoded is an object as JSON.
func encoded(object any) string {
	data, _ := json.Marshal(object)
	return string(data)
}

// inAggregated starts a cluster that has everything that a kube-apiserver makes for itself.
func inAggregated(t *testing.T, f func(client, *records)) {
	synctest.Test(t, func(t *testing.T) {
		seen := &records{}
		cluster := bubble.Start(t, bubble.Options{
			Server:     apiserver.Options{SystemObjects: true, CustomResources: true},
			Components: []bubble.Component{programs{}}, Sinks: []trace.Sink{seen.add},
		})
		f(client{t, cluster.Simulation.RoundTripper(bubble.Actor)}, seen)
	})
}

const wardle = `{"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "v1alpha1.wardle.example.com"},
  "spec": {"group": "wardle.example.com", "version": "v1alpha1", "groupPriorityMinimum": 2000, "versionPriority": 200,
  "insecureSkipTLSVerify": true, "service": {"namespace": "default", "name": "api", "port": 7443}}}`

// TestAggregation registers the API server of a container, step by step. Its availability follows the Service, the endpoints and the
// program, with upstream's reasons; requests are forwarded while it is available, and discovery has its resources.
func TestAggregation(t *testing.T) {
	inAggregated(t, func(c client, seen *records) {
		const services, flunders = "/apis/apiregistration.k8s.io/v1/apiservices", "/apis/wardle.example.com/v1alpha1/namespaces/default/flunders"
		const name = "v1alpha1.wardle.example.com"
		c.ask("GET", flunders, "", 404)
		c.ask("POST", services, wardle, 201)
		if got := c.condition(name); got != "ServiceNotFound False" {
			t.Errorf("without a Service: %s", got)
		}
		if got := c.ask("GET", flunders, "", 503); got != "service unavailable\n" {
			t.Errorf("without a Service: %s", got)
		}
		c.ask("POST", "/api/v1/namespaces/default/services", `{"metadata": {"name": "api"}, "spec": {"ports": [{"port": 443}]}}`, 201)
		if got := c.condition(name); got != "ServicePortError False" {
			t.Errorf("with another port: %s", got)
		}
		c.ask("PUT", "/api/v1/namespaces/default/services/api",
			`{"metadata": {"name": "api"}, "spec": {"ports": [{"port": 7443, "targetPort": 443}]}}`, 200)
		if got := c.condition(name); got != "EndpointsNotFound False" {
			t.Errorf("without endpoints: %s", got)
		}
		ready, port, portName := false, int32(443), ""
		slice := &discoveryv1.EndpointSlice{
			ObjectMeta:  metav1.ObjectMeta{Name: "api", Labels: map[string]string{discoveryv1.LabelServiceName: "api"}},
			AddressType: discoveryv1.AddressTypeIPv4, Ports: []discoveryv1.EndpointPort{{Name: &portName, Port: &port}},
			Endpoints: []discoveryv1.Endpoint{{
				Addresses: []string{"10.0.0.1"}, Conditions: discoveryv1.EndpointConditions{Ready: &ready},
				TargetRef: &corev1.ObjectReference{Kind: "Pod", Name: "api"},
			}},
		}
		slice.APIVersion, slice.Kind = "discovery.k8s.io/v1", "EndpointSlice"
		const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
		c.ask("POST", slices, encoded(slice), 201)
		if got := c.condition(name); got != "MissingEndpoints False" {
			t.Errorf("with an endpoint that is not ready: %s", got)
		}
		ready = true
		c.ask("PUT", slices+"/api", encoded(slice), 200)
		if got := c.condition(name); got != "FailedDiscoveryCheck False" {
			t.Errorf("with an endpoint without a Pod: %s", got)
		}
		c.ask("POST", "/api/v1/namespaces/default/pods",
			`{"metadata": {"name": "api"}, "spec": {"containers": [{"name": "api", "image": "e2e-test-images/sample-apiserver:1.29.2"}]}}`, 201)
		time.Sleep(30 * time.Second)
		if got := c.condition(name); got != "Passed True" {
			t.Errorf("with a program: %s", got)
		}
		c.useFlunders(flunders)
		c.discover()
		// Nobody answers without endpoints.
		c.ask("DELETE", slices+"/api", "", 200)
		if got := c.condition(name); got != "EndpointsNotFound False" {
			t.Errorf("without endpoints again: %s", got)
		}
		c.ask("GET", flunders, "", 503)
		c.ask("DELETE", services+"/"+name, "", 200)
		time.Sleep(time.Second)
		c.ask("GET", flunders, "", 404)
		const counted = `apiserver_request_total{code="409",component="apiserver",dry_run="",group="wardle.example.com",` +
			`resource="flunders",scope="resource",subresource="",verb="POST",version="v1alpha1"} 1`
		for range 2 {
			if metrics := c.ask("GET", "/metrics", "", 200); !strings.Contains(metrics, counted) {
				t.Errorf("the metrics are %s", metrics)
			}
		}
		forwarded := 0
		for _, record := range *seen {
			if record.Request != nil && record.Request.Server == "sample-apiserver" {
				forwarded++
				if record.At == record.Request.Sent {
					t.Errorf("a forwarded request takes no time: %+v", record.Request)
				}
			}
		}
		if forwarded != 4 {
			t.Errorf("%d records of forwarded requests, want 4", forwarded)
		}
	})
}

// useFlunders sends four requests that are forwarded.
func (c client) useFlunders(path string) {
	c.t.Helper()
	const flunder = `{"apiVersion": "wardle.example.com/v1alpha1", "kind": "Flunder", "metadata": {"name": "f"}}`
	c.ask("POST", path, flunder, 201)
	c.ask("POST", path, flunder, 409)
	if list := c.ask("GET", path, "", 200); !strings.Contains(list, `"kind":"FlunderList"`) || !strings.Contains(list, `"name":"f"`) {
		c.t.Errorf("the list is %s", list)
	}
	c.ask("DELETE", path+"/f", "", 200)
	c.ask("GET", path+"?watch=true", "", 405)
}

// discover reads all documents that say which resources there are.
func (c client) discover() {
	c.t.Helper()
	for _, legacy := range []bool{true, false} {
		documents := discovery.NewDiscoveryClientForConfigOrDie(&rest.Config{Host: "http://kube-apiserver", Transport: c.RoundTripper})
		documents.UseLegacyDiscovery = legacy
		_, lists, err := documents.ServerGroupsAndResources()
		if err != nil {
			c.t.Errorf("legacy %t: %v", legacy, err)
		}
		found := 0
		for _, list := range lists {
			for _, resource := range list.APIResources {
				if list.GroupVersion == "wardle.example.com/v1alpha1" && resource.Kind == "Flunder" {
					found++
				}
			}
		}
		if found != 1 {
			c.t.Errorf("legacy %t: Flunder is there %d times", legacy, found)
		}
	}
}

// TestDefinitionsAreRegistered: each version of a definition that is served has an APIService, as long as it is.
func TestDefinitionsAreRegistered(t *testing.T) {
	inAggregated(t, func(c client, _ *records) {
		const crds, services = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "/apis/apiregistration.k8s.io/v1/apiservices"
		version := func(name string, served bool) string {
			return fmt.Sprintf(`{"name": %q, "served": %t, "storage": %t, "schema": {"openAPIV3Schema": {"type": "object"}}}`,
				name, served, name == "v1")
		}
		crd := func(second bool) string {
			return `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "sites.example.com"},
				"spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "sites", "singular": "site", "kind": "Site"},
				"versions": [` + version("v1", true) + "," + version("v2", second) + `]}}`
		}
		c.ask("POST", crds, crd(true), 201)
		for _, name := range []string{"v1.example.com", "v2.example.com"} {
			if got := c.condition(name); got != "Local True" {
				t.Errorf("%s: %s", name, got)
			}
		}
		// Who deletes one gets it back.
		c.ask("DELETE", services+"/v1.example.com", "", 200)
		if got := c.condition("v1.example.com"); got != "Local True" {
			t.Errorf("after it was deleted: %s", got)
		}
		patched := strings.Replace(crd(false), `{"name": "sites.example.com"}`, `{"name": "sites.example.com", "resourceVersion": "RV"}`, 1)
		var current metav1.PartialObjectMetadata
		if err := json.Unmarshal([]byte(c.ask("GET", crds+"/sites.example.com", "", 200)), &current); err != nil {
			t.Fatal(err)
		}
		c.ask("PUT", crds+"/sites.example.com", strings.Replace(patched, "RV", current.ResourceVersion, 1), 200)
		time.Sleep(time.Second)
		c.ask("GET", services+"/v2.example.com", "", 404)
		c.ask("DELETE", crds+"/sites.example.com", "", 200)
		time.Sleep(10 * time.Second)
		c.ask("GET", services+"/v1.example.com", "", 404)
	})
}
