package why

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Instant is a recording after one record.
type Instant struct {
	*History
	seq int64
	at  time.Duration
	// depth is how many objects that wait for one another are being asked.
	depth int
	// objects are all objects by resource, in order; nil before they are needed.
	objects map[string][]trace.Object
	// fights are the fields that go back and forth, one of each object; nil before they are needed.
	fights map[trace.Object]*invariant.Hot
}

// At is the recording after record seq, at a time that is not after the next record.
func (h *History) At(seq int64, at time.Duration) *Instant {
	return &Instant{History: h, seq: seq, at: at}
}

// world is what the goals of package liveness see of an Instant.
type world struct{ *Instant }

var (
	_ liveness.World   = world{}
	_ liveness.Dated   = world{}
	_ liveness.Partial = world{}
	_ liveness.Owned   = world{}
)

// Get implements liveness.World.
func (w world) Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool) {
	object := w.object(trace.Object{Resource: resource.String(), Namespace: namespace, Name: name})
	return object, object != nil
}

// List implements liveness.World.
func (w world) List(resource schema.GroupResource, namespace string) []runtime.Object {
	of, writes := listed{resource.String(), namespace}, w.rec.Writes(resource.String(), w.seq)
	last, known := w.lists[of]
	if !known || last.writes != writes {
		last = list{writes, w.list(of)}
		w.lists[of] = last
	}
	return slices.Clone(last.objects)
}

// PodsOf implements liveness.Owned.
func (w world) PodsOf(uid types.UID) (pods []runtime.Object, ok bool) {
	objects, ok := w.rec.PodsOf(string(uid), w.seq)
	return w.all(objects), ok
}

// list makes what List returns.
func (w world) list(of listed) []runtime.Object {
	objects, sorted := w.objects[of.resource]
	if !sorted {
		objects = w.rec.Replay.Objects(of.resource, w.seq)
	}
	if of.namespace != "" {
		objects = slices.DeleteFunc(slices.Clone(objects), func(o trace.Object) bool { return o.Namespace != of.namespace })
	}
	return w.all(objects)
}

// Resources implements liveness.World.
func (w world) Resources() []schema.GroupResource {
	if w.objects == nil {
		w.objects = map[string][]trace.Object{}
		for _, o := range w.rec.ObjectsAt(w.seq) {
			w.objects[o.Resource] = append(w.objects[o.Resource], o)
		}
	}
	var all []schema.GroupResource
	for _, name := range slices.Sorted(maps.Keys(w.objects)) {
		if resource := schema.ParseGroupResource(name); resource.Resource != "events" {
			all = append(all, resource)
		}
	}
	return all
}

// Has implements liveness.Partial.
func (w world) Has(resource schema.GroupResource) bool { return w.dump == nil || w.dump.Has(resource) }

// Date implements liveness.World.
func (w world) Date() time.Time { return w.date() }

// Process implements liveness.World. Controllers that do not work at the moment count, since the Answer says why.
func (w world) Process(actor string) (name string, works bool) {
	return actor, actor == "" || w.runs[actor]
}

// Tainted implements liveness.Dated.
func (w world) Tainted(node string) time.Time {
	o := trace.Object{Resource: "nodes", Name: node}
	versions := w.rec.Versions(o)
	last := w.taints(o, w.rec.VersionAt(o, w.seq))
	for n := w.rec.VersionAt(o, w.seq); n >= 0; n-- {
		if n == 0 || !reflect.DeepEqual(w.taints(o, n-1), last) {
			return w.rec.Epoch().Add(w.rec.At(versions[n].Seq))
		}
	}
	return time.Time{}
}

// taints are those of a version of a node.
func (w world) taints(o trace.Object, version int) any {
	if version < 0 {
		return nil
	}
	spec, _ := w.rec.Replay.ObjectVersion(o, w.rec.Versions(o)[version].RV)["spec"].(map[string]any)
	return spec["taints"]
}

func (i *Instant) date() time.Time { return i.rec.Epoch().Add(i.at) }

// object is an object in its type; nil if it does not exist, or has none.
func (i *Instant) object(o trace.Object) runtime.Object {
	return i.typedAs(o, i.rec.Replay.ObjectAt(o, i.seq))
}

// all are objects in their types, without those that do not exist, or have none.
func (i *Instant) all(objects []trace.Object) (all []runtime.Object) {
	for n, fields := range i.rec.Replay.ObjectsAt(objects, i.seq) {
		if object := i.typedAs(objects[n], fields); object != nil {
			all = append(all, object)
		}
	}
	return all
}

// typedAs is an object with these fields in its type; nil without fields, or if it has no type.
func (i *Instant) typedAs(o trace.Object, fields map[string]any) runtime.Object {
	if fields == nil {
		return nil
	}
	metadata, _ := fields["metadata"].(map[string]any)
	rv, _ := metadata["resourceVersion"].(string)
	of := version{o, rv}
	object, known := i.typed[of]
	if !known {
		object = manifest.Typed(o.Resource, fields)
		i.typed[of] = object
	}
	return object
}

// actor is the replica of a controller that works on a key: that of the leader, or the one that synced the key last.
func (i *Instant) actor(controller, key string) string {
	component := componentOf(controller)
	suffixes := i.suffixes[component]
	switch len(suffixes) {
	case 0:
		return controller
	case 1:
		return controller + suffixes[0]
	}
	if leader, _ := i.leader(component); leader != "" {
		return controller + suffixOf(component, leader)
	}
	return controller + slices.MaxFunc(suffixes, func(a, b string) int {
		return cmp.Compare(i.lastSync(controller+a, key), i.lastSync(controller+b, key))
	})
}

// leader is the process that holds the lease of a component, and when that expires; empty if there is no lease.
func (i *Instant) leader(component string) (process string, expires time.Time) {
	lease, ok := i.object(trace.Object{
		Resource: "leases.coordination.k8s.io", Namespace: "kube-system", Name: component,
	}).(*coordinationv1.Lease)
	if !ok || lease.Spec.HolderIdentity == nil {
		return "", time.Time{}
	}
	// A process that started again has a number behind its name.
	process, _, _ = strings.Cut(*lease.Spec.HolderIdentity, "_")
	if lease.Spec.RenewTime != nil && lease.Spec.LeaseDurationSeconds != nil {
		expires = lease.Spec.RenewTime.Add(time.Duration(*lease.Spec.LeaseDurationSeconds) * time.Second)
	}
	return process, expires
}

// lastSync is the start of the last sync of a key by an actor, 0 for none since its process started.
func (i *Instant) lastSync(actor, key string) int64 {
	last := recording.Latest(i.syncs[queued{actor, key}], i.seq)
	if last < i.started(i.process(actor)) {
		return 0
	}
	return last
}

// Place is the number of the record that the Instant is after, and its time.
func (i *Instant) Place() (seq int64, at time.Duration) { return i.seq, i.at }
