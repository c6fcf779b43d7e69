package controlplane

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/transport"
	registrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	registrationhelper "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1/helper"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/aggregated"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
)

// aggregation keeps the conditions of APIServices, and tells the API server to which others it forwards requests, as kube-aggregator's
// controllers do (k8s.io/kube-aggregator/pkg/controllers/status). Those watch the API server with informers of their own, in every
// cluster; here, a look follows a change of an APIService, or of the Service or an EndpointSlice that it needs.
type aggregation struct {
	sim *sim.Simulation
	// versions are the APIServices that name a Service, by name, with what their servers have answered.
	versions map[string]*aggregated.Version
	// failures counts the checks in a row of an APIService that its server has failed.
	failures map[string]int
	// looks numbers the looks at an APIService. A later look replaces one that has not ended.
	looks map[string]int
}

const (
	// checkLimit is how long a server may take to answer, and checkInterval when it is asked again: the timeout of the client, and the
	// resync of the informer, of upstream's AvailableConditionController.
	checkLimit    = 5 * time.Second
	checkInterval = 30 * time.Second
	// retryMin and retryMax are the back-off of its work queue.
	retryMin, retryMax = 5 * time.Millisecond, 30 * time.Second
)

var apiServices = registrationv1.SchemeGroupVersion.WithResource("apiservices")

// startAggregation looks at the APIServices that are there, and from now on at those that change.
func startAggregation(s *sim.Simulation) {
	a := &aggregation{sim: s, versions: map[string]*aggregated.Version{}, failures: map[string]int{}, looks: map[string]int{}}
	for _, service := range a.services() {
		if service.Spec.Service != nil {
			a.lookLater(service.Name, 0)
		}
	}
	s.OnChange(a.changed)
}

// services are the APIServices.
func (a *aggregation) services() (out []*registrationv1.APIService) {
	for _, object := range a.sim.State.List(apiServices.GroupResource(), "") {
		if service, ok := object.(*registrationv1.APIService); ok {
			out = append(out, service)
		}
	}
	return out
}

// changed looks at the APIServices that a change is about.
func (a *aggregation) changed(change network.Change) {
	switch object := change.Object.(type) {
	case *registrationv1.APIService:
		previous, _ := change.Previous.(*registrationv1.APIService)
		if change.Op != memdb.OpUpdate || !equality.Semantic.DeepEqual(previous.Spec, object.Spec) {
			a.lookLater(object.Name, change.Seq)
		}
	case *corev1.Service:
		a.changedBehind(object.Namespace, object.Name, change.Seq)
	case *discoveryv1.EndpointSlice:
		a.changedBehind(object.Namespace, object.Labels[discoveryv1.LabelServiceName], change.Seq)
	}
}

// changedBehind looks at the APIServices that name a Service.
func (a *aggregation) changedBehind(namespace, name string, cause int64) {
	for _, service := range a.services() {
		if to := service.Spec.Service; to != nil && to.Namespace == namespace && to.Name == name {
			a.lookLater(service.Name, cause)
		}
	}
}

// lookLater looks at an APIService when the controller has received the change.
func (a *aggregation) lookLater(name string, cause int64) {
	a.looks[name]++
	look, key := a.looks[name], "kube-aggregator|"+name
	a.sim.Engine.As(engine.Component).After(a.sim.Reaction(key), key, func() { a.look(name, look, cause) })
}

// look checks an APIService.
func (a *aggregation) look(name string, look int, cause int64) {
	if a.looks[name] != look {
		return
	}
	object, _ := a.sim.State.Get(apiServices.GroupResource(), "", name)
	service, ok := object.(*registrationv1.APIService)
	switch {
	case !ok || service.Spec.Service == nil:
		delete(a.versions, name)
		delete(a.failures, name)
		a.publish()
		if ok {
			a.set(service, registrationhelper.NewLocalAvailableAPIServiceCondition(), cause)
		}
		return
	case a.versions[name] == nil:
		a.versions[name] = &aggregated.Version{}
	}
	if condition := a.behind(service); condition != nil {
		a.set(service, *condition, cause)
		return
	}
	a.ask(service, look, cause)
}

// behind checks the Service and the endpoints behind an APIService. It is nil if these are as they should be.
func (a *aggregation) behind(of *registrationv1.APIService) *registrationv1.APIServiceCondition {
	to := of.Spec.Service
	object, _ := a.sim.State.Get(corev1.Resource("services"), to.Namespace, to.Name)
	service, ok := object.(*corev1.Service)
	if !ok {
		return unavailable("ServiceNotFound", "service/%s in %q is not present", to.Name, to.Namespace)
	}
	if service.Spec.Type != corev1.ServiceTypeClusterIP {
		return nil
	}
	portName, listens := "", false
	for _, port := range service.Spec.Ports {
		if port.Port == *to.Port && !listens {
			portName, listens = port.Name, true
		}
	}
	if !listens {
		return unavailable("ServicePortError", "service/%s in %q is not listening on port %d", to.Name, to.Namespace, *to.Port)
	}
	found, ready := false, false
	for _, object := range a.sim.State.List(discoveryv1.Resource("endpointslices"), to.Namespace) {
		slice, ok := object.(*discoveryv1.EndpointSlice)
		if ok && slice.Labels[discoveryv1.LabelServiceName] == to.Name {
			found, ready = true, ready || hasReady(slice, portName)
		}
	}
	switch {
	case !found:
		return unavailable("EndpointsNotFound", "cannot find endpointslices for service/%s in %q", to.Name, to.Namespace)
	case !ready:
		return unavailable("MissingEndpoints", "endpointslices for service/%s in %q have no addresses with port name %q",
			to.Name, to.Namespace, portName)
	}
	return nil
}

// hasReady reports whether an EndpointSlice has a port, and an endpoint that is ready.
func hasReady(slice *discoveryv1.EndpointSlice, portName string) bool {
	for _, end := range slice.Endpoints {
		if end.Conditions.Ready != nil && !*end.Conditions.Ready {
			continue
		}
		for _, port := range slice.Ports {
			if port.Name != nil && *port.Name == portName && port.Port != nil {
				return true
			}
		}
	}
	return false
}

func unavailable(reason, format string, args ...any) *registrationv1.APIServiceCondition {
	return &registrationv1.APIServiceCondition{
		Type: registrationv1.Available, Status: registrationv1.ConditionFalse, Reason: reason, Message: fmt.Sprintf(format, args...),
	}
}

// ask asks the server behind an APIService for its resources. Upstream asks five times at once, and once more for discovery.
func (a *aggregation) ask(of *registrationv1.APIService, look int, cause int64) {
	location := aggregated.Location(of)
	location.Path = "/apis/" + of.Spec.Group + "/" + of.Spec.Version
	failed := func(err error) {
		a.answered(of.Name, look, cause, nil, fmt.Errorf("failing or missing response from %v: %w", location, err))
	}
	r, err := http.NewRequest(http.MethodGet, location.String(), nil)
	if err != nil {
		failed(err)
		return
	}
	r.Header.Set("Accept", "application/json")
	transport.SetAuthProxyHeaders(r, "system:kube-aggregator", "", []string{"system:masters"}, nil)
	if r, err = a.sim.Server.Others().Connected(of, r); err != nil {
		failed(err)
		return
	}
	a.sim.AskServer("kube-aggregator|"+of.Name, cause, r, checkLimit, func(response *http.Response, err error) {
		switch {
		case err != nil:
			failed(err)
		case response.StatusCode < http.StatusOK || response.StatusCode >= http.StatusMultipleChoices:
			failed(fmt.Errorf("bad status from %v: %d", location, response.StatusCode))
		default:
			list := &metav1.APIResourceList{}
			if err := json.NewDecoder(response.Body).Decode(list); err != nil {
				list = nil
			}
			a.answered(of.Name, look, cause, list, nil)
		}
	})
}

// answered is what follows when a server has answered, or has not.
func (a *aggregation) answered(name string, look int, cause int64, resources *metav1.APIResourceList, failed error) {
	object, _ := a.sim.State.Get(apiServices.GroupResource(), "", name)
	service, ok := object.(*registrationv1.APIService)
	if !ok || a.looks[name] != look || a.versions[name] == nil {
		return
	}
	next := checkInterval
	condition := registrationv1.APIServiceCondition{
		Type: registrationv1.Available, Status: registrationv1.ConditionTrue, Reason: "Passed", Message: "all checks passed",
	}
	if failed != nil {
		condition = *unavailable("FailedDiscoveryCheck", "%v", failed)
		next = min(retryMin<<min(a.failures[name], 20), retryMax)
		a.failures[name]++
	} else {
		a.failures[name] = 0
		a.versions[name].Resources = cmp.Or(resources, a.versions[name].Resources)
	}
	a.set(service, condition, cause)
	// A server that begins or ceases to answer by itself changes no object.
	a.sim.Engine.UpkeepAt(a.sim.Engine.Now()+next, "kube-aggregator|"+name, func() { a.look(name, look, 0) })
}

// set writes the condition of an APIService, unless it is as it was, and lets the API server know.
func (a *aggregation) set(of *registrationv1.APIService, condition registrationv1.APIServiceCondition, cause int64) {
	changed := of.DeepCopy()
	condition.LastTransitionTime = metav1.NewTime(a.sim.Engine.Date())
	registrationhelper.SetAPIServiceCondition(changed, condition)
	if !equality.Semantic.DeepEqual(of.Status, changed.Status) {
		// A conflict has a change as its cause, which is followed by a look of its own.
		_, _ = a.sim.Execute(apiserver.Request{
			Actor: apiserver.Self, Verb: "update", Resource: apiServices, Name: of.Name, Subresource: "status", Object: changed,
		}, cause, false)
	}
	if v := a.versions[of.Name]; v != nil {
		v.APIService = changed
		a.publish()
	}
}

// publish lets the API server know the other servers.
func (a *aggregation) publish() {
	var versions []aggregated.Version
	for _, service := range a.services() {
		if v := a.versions[service.Name]; v != nil && v.APIService != nil {
			versions = append(versions, *v)
		}
	}
	if len(versions) > 0 || a.sim.Server.Others().Any() {
		a.sim.Server.Others().Set(versions)
	}
}
