package agreement

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/trace"
)

// acting are the controllers whose actions are compared, with what these are, and how many syncs with actions the shipped
// scenarios have at least.
var acting = map[string]struct {
	actions []string
	least   int
	// resource is that of the key's object, if the explanation tells its status.
	resource string
}{
	"replicaset-controller":            {[]string{"create pods", "delete pods", "patch pods"}, 700, ""},
	"replicationcontroller-controller": {[]string{"create pods", "delete pods", "patch pods"}, 3, ""},
	"statefulset-controller":           {[]string{"create pods", "delete pods"}, 60, ""},
	"daemonset-controller":             {[]string{"create pods", "delete pods"}, 30, ""},
	"job-controller":                   {[]string{"create pods", "delete pods"}, 50, ""},
	"cronjob-controller":               {[]string{"create jobs"}, 20, ""},
	"node-lifecycle-controller":        {[]string{"patch nodes"}, 20, ""},

	"garbage-collector-controller": {[]string{
		"delete pods", "delete replicasets", "delete configmaps", "delete secrets", "delete jobs", "delete endpointslices",
		"delete controllerrevisions", "delete persistentvolumeclaims", "delete deployments", "patch pods", "patch replicasets",
		"patch configmaps", "patch secrets", "patch deployments", "patch jobs", "patch statefulsets", "patch daemonsets", "delete resourceclaims",
		"delete leases", "patch farms",
	}, 100, ""},
	"persistentvolume-binder-controller": {[]string{"update persistentvolumes", "update persistentvolumeclaims"}, 15, ""},

	"endpointslice-controller":             {[]string{"create endpointslices", "update endpointslices", "delete endpointslices"}, 30, ""},
	"disruption-controller":                {[]string{"update poddisruptionbudgets/status"}, 30, "poddisruptionbudgets.policy"},
	"horizontal-pod-autoscaler-controller": {[]string{"update deployments/scale"}, 35, "horizontalpodautoscalers.autoscaling"},
}

// Actions counts the syncs whose actions were compared, by controller.
type Actions struct{ Syncs, Acted, Refused, statuses map[string]int }

// NewActions counts nothing yet.
func NewActions() Actions {
	return Actions{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}}
}

// CompareActions wants the explanation of each sync to name the requests that the real controller sent in it. Syncs without an
// explanation, such as those of other queues, do not count.
func (p *Played) CompareActions(n Actions, wrong func(format string, args ...any)) {
	for controller, of := range acting {
		for _, end := range p.Syncs(controller) {
			e := explain.At(p.Seen, end.Sync.Start)
			if e == nil {
				continue
			}
			did := p.actions(end.Sync.Start, of.actions)
			n.Syncs[controller]++
			if len(did) > 0 {
				n.Acted[controller]++
			}
			if e.Refused != "" {
				n.Refused[controller]++
			}
			if !agree(e, did) {
				wrong("record %d (%s %s, %q) says\n  %v, but the controller did\n  %v\n%s", e.Start, controller, e.Key, e.Refused,
					e.Actions, did, strings.Join(e.Text(0), "\n"))
			}
			if got := p.endpoints(end, e); len(e.Endpoints) > 0 && e.Refused == "" && !maps.Equal(got, e.Endpoints) {
				wrong("record %d (%s %s) leaves %v, but the endpoints are %v\n%s", e.Start, controller, e.Key, e.Endpoints, got,
					strings.Join(e.Text(0), "\n"))
			}
			if differences, compared := p.statuses(end, of.resource, e); compared {
				n.statuses[controller]++
				for _, d := range differences {
					wrong("record %d (%s %s): %s\n%s", e.Start, controller, e.Key, d, strings.Join(e.Text(0), "\n"))
				}
			}
		}
	}
}

// Check logs the Tally, and fails if it proves little.
func (n Actions) Check(t *testing.T) {
	t.Helper()
	for _, controller := range slices.Sorted(maps.Keys(acting)) {
		acted := n.Acted[controller]
		t.Logf("%s: %d syncs, %d of them acted, %d were refused something, %d statuses were compared", controller, n.Syncs[controller],
			acted, n.Refused[controller], n.statuses[controller])
		if least := acting[controller].least; acted < least {
			t.Errorf("only %d syncs of %s acted, less than %d: that proves little", acted, controller, least)
		}
	}
}

// actions are the requests of a sync that an explanation tells, in the order of their first ones.
func (p *Played) actions(start int64, told []string) []arithmetic.Action {
	var all []arithmetic.Action
	for i, r := range p.requests[start] {
		q := r.Request
		plural, _, _ := strings.Cut(q.Resource, ".")
		if q.Subresource != "" {
			plural += "/" + q.Subresource
		}
		// The autoscaler repeats the update of a scale after a conflict.
		repeats := func(again *trace.Record) bool {
			return again.Request.Verb == "update" && again.Request.Subresource == "scale"
		}
		if q.Subresource == "scale" && q.Code == http.StatusConflict && slices.ContainsFunc(p.requests[start][i+1:], repeats) {
			continue
		}
		if !slices.Contains(told, q.Verb+" "+plural) {
			continue
		}
		n := slices.IndexFunc(all, func(a arithmetic.Action) bool { return a.Verb == q.Verb && a.Resource == plural })
		if n < 0 {
			n, all = len(all), append(all, arithmetic.Action{Verb: q.Verb, Resource: plural})
		}
		all[n].Count++
		all[n].Names = append(all[n].Names, q.Name)
		if q.Subresource == "scale" {
			all[n].Size = p.size(r)
		}
	}
	for _, a := range all {
		slices.Sort(a.Names)
	}
	return all
}

// size is what an update of a scale set.
func (p *Played) size(r *trace.Record) *int32 {
	size, _, _ := unstructured.NestedInt64(p.replay.ObjectAt(r.Request.Object, r.Seq), "spec", "replicas")
	return ptr.To(int32(size))
}

// statuses compares what is explained of a status with what the sync wrote or, if it wrote nothing, with what it read: then the status
// is right as it is. A refused request leaves it open.
func (p *Played) statuses(end *trace.Record, resource string, e *arithmetic.Explanation) (differences []string, compared bool) {
	namespace, name, _ := strings.Cut(e.Key, "/")
	o, plural := trace.Object{Resource: resource, Namespace: namespace, Name: name}, strings.Split(resource, ".")[0]
	var object map[string]any
	for _, r := range end.Sync.Reads {
		if r.Resource == plural && r.Namespace == namespace && r.Name == name {
			rv, _ := strconv.ParseUint(r.RV, 10, 64)
			object = p.replay.ObjectVersion(o, rv)
		}
	}
	for _, r := range p.requests[end.Sync.Start] {
		if r.Request.Object == o && r.Request.Subresource == "status" && r.Request.Code == http.StatusOK {
			object = p.replay.ObjectAt(o, r.Seq)
		}
	}
	if resource == "" || object == nil || e.Refused != "" || len(e.Status) == 0 {
		return nil, false
	}
	for _, path := range slices.Sorted(maps.Keys(e.Status)) {
		if got, want := fmt.Sprint(valueOf(object["status"], path)), fmt.Sprint(e.Status[path]); got != want {
			differences = append(differences, fmt.Sprintf("says status.%s %s, but it is %s", path, want, got))
		}
	}
	return differences, true
}

// endpoints are those of the EndpointSlices that endpointslice-controller keeps for a Service, when a sync ends.
func (p *Played) endpoints(end *trace.Record, e *arithmetic.Explanation) map[string]string {
	found := map[string]string{}
	namespace, service, _ := strings.Cut(e.Key, "/")
	for _, o := range p.replay.Objects("endpointslices.discovery.k8s.io", end.Seq) {
		slice := &discoveryv1.EndpointSlice{}
		err := runtime.DefaultUnstructuredConverter.FromUnstructured(p.replay.ObjectAt(o, end.Seq), slice)
		own := slice.Labels[discoveryv1.LabelManagedBy] == "endpointslice-controller.k8s.io" && slice.DeletionTimestamp == nil
		if err != nil || !own || o.Namespace != namespace || slice.Labels[discoveryv1.LabelServiceName] != service {
			continue
		}
		for _, endpoint := range slice.Endpoints {
			name, c := endpoint.TargetRef.Name, endpoint.Conditions
			if slice.AddressType != discoveryv1.AddressTypeIPv4 {
				name += " (" + string(slice.AddressType) + ")"
			}
			switch {
			case *c.Terminating && *c.Serving:
				found[name] = "terminating, serving"
			case *c.Terminating:
				found[name] = "terminating, not serving"
			case *c.Ready:
				found[name] = "ready"
			default:
				found[name] = "not ready"
			}
		}
	}
	return found
}

// valueOf is the value at a path such as desiredReplicas or conditions[type=AbleToScale].reason.
func valueOf(value any, path string) any {
	fields, _ := value.(map[string]any)
	name, rest, list := strings.Cut(path, "[type=")
	if !list {
		return fields[path]
	}
	kind, field, _ := strings.Cut(rest, "].")
	items, _ := fields[name].([]any)
	for _, item := range items {
		if of, _ := item.(map[string]any); of["type"] == kind {
			return of[field]
		}
	}
	return nil
}

// agree compares what is explained with what happened. After a refusal, less may have happened.
func agree(e *arithmetic.Explanation, did []arithmetic.Action) bool {
	if e.Refused == "" && len(did) != len(e.Actions) || len(did) > len(e.Actions) {
		return false
	}
	for _, a := range did {
		n := slices.IndexFunc(e.Actions, func(said arithmetic.Action) bool { return said.Verb == a.Verb && said.Resource == a.Resource })
		if n < 0 {
			return false
		}
		said := e.Actions[n]
		if said.Size != nil && e.Refused == "" && *said.Size != *a.Size {
			return false
		}
		named := said.Names == nil || slices.Equal(said.Names, a.Names)
		if e.Refused != "" {
			named = said.Names == nil || !slices.ContainsFunc(a.Names, func(name string) bool { return !slices.Contains(said.Names, name) })
			if a.Count > said.Count || !named {
				return false
			}
			continue
		}
		if a.Count != said.Count || !named {
			return false
		}
	}
	return true
}
