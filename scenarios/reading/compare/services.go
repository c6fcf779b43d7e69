package compare

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// services follows the endpoints of Services: how many of the ready endpoints in the EndpointSlices of a Service are Pods that
// are Ready. An endpoint that is listed after its Pod has gone serves nobody.
type services struct {
	rec       *recording.Recording
	workloads []*wanted
	now       map[trace.Object]*service
	// gauges are those of all Services, also of deleted ones.
	gauges map[trace.Object]*gauge
	// slices are the uids that each EndpointSlice lists as ready, for which Service.
	slices map[trace.Object]endpointSlice
	// pods are the uids of the Pods, and ready those that are Ready.
	pods  map[trace.Object]string
	ready map[string]bool
	// listing are the Services whose EndpointSlices list a uid.
	listing map[string][]*service
}

// service is one Service.
type service struct {
	trace.Object
	selector map[string]any
	// listed counts the EndpointSlices that list a uid, and usable the uids that are Ready.
	listed map[string]int
	usable int
}

type endpointSlice struct {
	service trace.Object
	uids    []string
}

func newServices(rec *recording.Recording, workloads []*wanted) *services {
	return &services{
		rec: rec, workloads: workloads, now: map[trace.Object]*service{}, gauges: map[trace.Object]*gauge{},
		slices: map[trace.Object]endpointSlice{}, pods: map[trace.Object]string{}, ready: map[string]bool{},
		listing: map[string][]*service{},
	}
}

// follow goes through the writes of a recording.
func (s *services) follow() map[trace.Object]*gauge {
	for _, seq := range s.rec.Marks().Writes {
		record := s.rec.Record(seq)
		for i := range record.Request.Writes {
			w := &record.Request.Writes[i]
			fields := s.rec.Replay.ObjectVersion(w.Object, w.RV)
			switch w.Resource {
			case "pods":
				s.pod(record.At, w.Object, fields)
			case "endpointslices.discovery.k8s.io":
				s.slice(record.At, w.Object, fields)
			case "services":
				s.service(w.Object, fields)
			}
		}
	}
	return s.gauges
}

// service notes a Service that selects Pods and lists those that are Ready.
func (s *services) service(o trace.Object, fields map[string]any) {
	selector, _ := field(fields, "spec", "selector").(map[string]any)
	unready, _ := field(fields, "spec", "publishNotReadyAddresses").(bool)
	if fields == nil || len(selector) == 0 || unready {
		delete(s.now, o)
		return
	}
	if s.now[o] == nil {
		s.now[o] = &service{Object: o, listed: map[string]int{}}
	}
	if s.gauges[o] == nil {
		s.gauges[o] = &gauge{}
	}
	s.now[o].selector = selector
}

// pod notes whether a Pod is Ready.
func (s *services) pod(at time.Duration, o trace.Object, fields map[string]any) {
	uid, _ := field(fields, "metadata", "uid").(string)
	if fields == nil {
		uid = s.pods[o]
	}
	s.pods[o] = uid
	ready := isPodReady(fields)
	if s.ready[uid] == ready {
		return
	}
	s.ready[uid] = ready
	for _, service := range s.listing[uid] {
		service.usable--
		if ready {
			service.usable += 2
		}
		s.measure(at, service)
	}
}

func isPodReady(fields map[string]any) bool {
	conditions, _ := field(fields, "status", "conditions").([]any)
	return slices.ContainsFunc(conditions, func(c any) bool {
		condition, _ := c.(map[string]any)
		return condition["type"] == "Ready" && condition["status"] == "True"
	})
}

// slice notes which uids an EndpointSlice lists.
func (s *services) slice(at time.Duration, o trace.Object, fields map[string]any) {
	before := s.slices[o]
	name, _ := field(fields, "metadata", "labels", "kubernetes.io/service-name").(string)
	after := endpointSlice{trace.Object{Resource: "services", Namespace: o.Namespace, Name: name}, readyEndpoints(fields)}
	s.slices[o] = after
	for _, change := range []struct {
		endpointSlice
		by int
	}{{before, -1}, {after, 1}} {
		of := s.now[change.service]
		if of == nil {
			continue
		}
		for _, uid := range change.uids {
			s.list(of, uid, change.by)
		}
	}
	if of := s.now[after.service]; of != nil {
		s.measure(at, of)
	}
	if of := s.now[before.service]; of != nil && before.service != after.service {
		s.measure(at, of)
	}
}

// readyEndpoints are the uids of the Pods that an EndpointSlice lists as ready.
func readyEndpoints(fields map[string]any) (uids []string) {
	endpoints, _ := field(fields, "endpoints").([]any)
	for _, e := range endpoints {
		endpoint, _ := e.(map[string]any)
		uid, _ := field(endpoint, "targetRef", "uid").(string)
		if ready := field(endpoint, "conditions", "ready"); uid != "" && ready != false {
			uids = append(uids, uid)
		}
	}
	return uids
}

// list adds a uid to those that a Service lists, or removes it.
func (s *services) list(of *service, uid string, by int) {
	was := of.listed[uid] > 0
	of.listed[uid] += by
	is := of.listed[uid] > 0
	if was == is {
		return
	}
	if is {
		s.listing[uid] = append(s.listing[uid], of)
	} else {
		delete(of.listed, uid)
		s.listing[uid] = slices.DeleteFunc(s.listing[uid], func(other *service) bool { return other == of })
	}
	if s.ready[uid] {
		if is {
			of.usable++
		} else {
			of.usable--
		}
	}
}

// measure notes how many endpoints of a Service are usable, and how many the workloads want that it selects.
func (s *services) measure(at time.Duration, of *service) {
	total, known := 0, false
	for _, w := range s.workloads {
		if w.matches(of.Namespace, of.selector) {
			total, known = total+w.at(at), true
		}
	}
	if !known {
		total = unlimited
	}
	s.gauges[of.Object].set(at, of.usable, total)
}
