// Package discovery computes a sync of endpointslice-controller again. Upstream's reconciler itself (k8s.io/endpointslice) works out
// the EndpointSlices, from what the caches held, with a client that only notes what it is asked to write. So what is left is to say
// why: which Pods are endpoints, which of them are ready, serving or terminating, and what changes in which slice.
package discovery

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	endpointsliceutil "k8s.io/endpointslice/util"
	kubectrlmgrconfigv1alpha1 "k8s.io/kube-controller-manager/config/v1alpha1"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
	"k8s.io/kubernetes/pkg/controller/endpointslice/config/v1alpha1"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// The files of upstream that the steps name.
const (
	controllerFile = "pkg/controller/endpointslice/endpointslice_controller.go"
	reconcilerFile = "staging/src/k8s.io/endpointslice/reconciler.go"
	utilFile       = "staging/src/k8s.io/endpointslice/util/controller_utils.go"
)

const (
	endpointSlices = "endpointslices.discovery.k8s.io"
	// queue has the keys of Services.
	queue = "endpoint_slice"
)

// most is how many endpoints a slice has at most, by default.
var most = func() int32 {
	var of kubectrlmgrconfigv1alpha1.EndpointSliceControllerConfiguration
	v1alpha1.RecommendedDefaultEndpointSliceControllerConfiguration(&of)
	return of.MaxEndpointsPerSlice
}()

// endpoints is one sync of a Service.
type endpoints struct {
	observed.Sync
	out     *arithmetic.Explanation
	service *corev1.Service
	pods    []*corev1.Pod
	slices  []*discoveryv1.EndpointSlice
}

// EndpointSlice explains a sync of a Service by endpointslice-controller, as syncService decides.
func EndpointSlice(s observed.Sync) *arithmetic.Explanation {
	if s.Start.Sync.Queue != queue {
		return nil
	}
	service := &corev1.Service{}
	e, ok := s.Begin("services", "Service", service)
	if !ok {
		return e
	}
	switch {
	case service.Spec.Type == corev1.ServiceTypeExternalName:
		e.Verdict = "nothing: a Service of the type ExternalName has no endpoints"
		return e
	case service.Spec.Selector == nil:
		e.Verdict = "nothing: the Service has no selector, so somebody else writes its EndpointSlices"
		return e
	}
	p := &endpoints{Sync: s, out: e, service: service}
	p.read()
	p.notePods()
	p.noteSlices()
	if unseen := p.unseen(); unseen != "" {
		e.Step("the controller's own writes", controllerFile, "StaleSlices").Line("not in the cache yet", unseen, nil)
		e.Verdict = "nothing: its cache has not received its own write of " + unseen
	} else {
		p.decide()
	}
	e.Why = e.Verdict
	return s.Finish(e)
}

// read reads the Pods of the selector and the controller's own slices of the Service.
func (p *endpoints) read() {
	selector := labels.Set(p.service.Spec.Selector).AsSelectorPreValidated()
	for _, pod := range p.Pods() {
		if selector.Matches(labels.Set(pod.Labels)) {
			p.pods = append(p.pods, pod)
		}
	}
	for _, object := range p.List(endpointSlices) {
		slice := &discoveryv1.EndpointSlice{}
		if observed.Convert(object, slice) != nil || slice.DeletionTimestamp != nil {
			continue
		}
		own := slice.Labels[discoveryv1.LabelManagedBy] == endpointslice.ControllerName
		if own && slice.Labels[discoveryv1.LabelServiceName] == p.service.Name {
			p.slices = append(p.slices, slice)
		}
	}
}

// notePods says which Pods are endpoints.
func (p *endpoints) notePods() {
	var ready, unready, serving, terminating, out []string
	for _, pod := range p.pods {
		is, goes := endpointsliceutil.IsPodReady(pod), pod.DeletionTimestamp != nil
		switch {
		case !endpointsliceutil.ShouldPodBeInEndpoints(pod, true):
			out = append(out, pod.Name)
		case goes && is:
			serving = append(serving, pod.Name)
		case goes:
			terminating = append(terminating, pod.Name)
		case is:
			ready = append(ready, pod.Name)
		default:
			unready = append(unready, pod.Name)
		}
	}
	step := p.out.Step("Pods", utilFile, "ShouldPodBeInEndpoints")
	step.Line("Pods", "selector "+labels.Set(p.service.Spec.Selector).String(), len(p.pods))
	for _, of := range []struct {
		label string
		names []string
	}{
		{"ready", ready}, {"not ready", unready}, {"terminating, serving", serving}, {"terminating, not serving", terminating},
		{"no endpoints: ended, or without an address", out},
	} {
		if len(of.names) > 0 {
			step.Line(of.label, arithmetic.Few(of.names), len(of.names))
		}
	}
	if p.service.Spec.PublishNotReadyAddresses {
		step.Line("publishNotReadyAddresses", "all count as ready", nil)
	}
}

// noteSlices says what exists.
func (p *endpoints) noteSlices() {
	step := p.out.Step("EndpointSlices that exist", controllerFile, "syncService")
	const shown = 5
	for _, slice := range p.slices[:min(shown, len(p.slices))] {
		step.Line(slice.Name, string(slice.AddressType), trace.Count(len(slice.Endpoints), "endpoint"))
	}
	switch more := len(p.slices) - shown; {
	case len(p.slices) == 0:
		step.Line("in the cache", "", "none")
	case more > 0:
		step.Line("and more", "", more)
	}
}

// unseen is a slice that an earlier sync has written and whose newest version the cache has not received; empty for none.
func (p *endpoints) unseen() string {
	seen := p.Cache(endpointSlices).Revision(p.Start.Seq)
	for earlier := range p.Earlier() {
		for _, r := range earlier.Requests {
			for _, w := range r.Request.Writes {
				if w.Resource == endpointSlices && w.RV > seen {
					return trace.ObjectName(w.Object)
				}
			}
		}
	}
	return ""
}

// decide lets upstream's reconciler work out the slices, and says what changes.
func (p *endpoints) decide() {
	noted := &notes{}
	err := p.reconcile(noted)
	step := p.out.Step("EndpointSlices that are right", reconcilerFile, "reconcileByPortMapping")
	step.Line("at most", "endpoints in one slice", most)
	after := noted.apply(p.slices)
	before, now := endpointsOf(p.slices), endpointsOf(after)
	p.out.Endpoints = now
	step.Line("endpoints", fmt.Sprintf("%d before", len(before)), len(now))
	added, removed, changed := compare(before, now)
	for _, of := range []struct {
		label string
		names []string
	}{{"added", added}, {"removed", removed}, {"changed", changed}} {
		if len(of.names) > 0 {
			step.Line(of.label, arithmetic.Few(of.names), len(of.names))
		}
	}
	var does []string
	for _, w := range []struct {
		verb  string
		names []string
	}{{"create", noted.created}, {"update", noted.updated}, {"delete", noted.deleted}} {
		if len(w.names) == 0 {
			continue
		}
		names := w.names
		if w.verb != "create" && len(names) == 1 {
			does = append(does, w.verb+"s endpointslices/"+names[0])
		} else {
			does = append(does, fmt.Sprintf("%ss %s", w.verb, trace.Count(len(names), "EndpointSlice")))
		}
		// The API server names new slices, and with several slices the order of a Go map decides which one gets an endpoint.
		if w.verb == "create" || len(p.slices) > 1 {
			names = nil
		}
		p.out.Act(w.verb, "endpointslices", len(w.names), names...)
	}
	p.out.Verdict = p.verdict(does, added, removed, changed, len(now))
	if err != nil {
		p.out.Verdict += "; but the sync fails: " + err.Error()
	}
}

// verdict is what is written, and why.
func (p *endpoints) verdict(does, added, removed, changed []string, count int) string {
	if len(does) == 0 {
		return fmt.Sprintf("nothing: %s in %s are right", trace.Count(count, "endpoint"), trace.Count(len(p.slices), "EndpointSlice"))
	}
	var why []string
	for _, of := range []struct {
		word  string
		names []string
	}{{"added", added}, {"removed", removed}, {"changed", changed}} {
		if len(of.names) > 0 {
			why = append(why, arithmetic.Few(of.names)+" "+of.word)
		}
	}
	text := "it " + strings.Join(does, " and ") + ": "
	switch {
	case len(why) > 0:
		return text + strings.Join(why, "; ")
	case len(p.slices) == 0:
		return text + "there is none yet"
	}
	return text + "no Pod changes, but ports, labels or addresses"
}
