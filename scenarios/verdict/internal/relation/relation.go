package relation

import (
	"fmt"
	"slices"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Objects are those of a cluster at an instant. They are shared, typed, and must not be modified.
type Objects interface {
	Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool)
	// List returns the objects of a resource, sorted by namespace and name; of all namespaces if it is empty.
	List(resource schema.GroupResource, namespace string) []runtime.Object
	// Date is the virtual date.
	Date() time.Time
}

// Relation is what holds between an object and others, or between parts of an object, when the simulation is at rest.
type Relation struct {
	Name string
	// Of are the objects about which it says something, and who makes it hold.
	Of []Kept
	// Sentence says what holds, and Reference is the page of the documentation that says so.
	Sentence, Reference string
	// broken says what does not hold; nil if the relation holds.
	broken func(*View, runtime.Object) *Breach
}

// Kept are the objects of a resource for which a controller makes a relation hold. The name of the controller is empty if another
// component does: the API server, the scheduler or a kubelet.
type Kept struct {
	Resource   schema.GroupResource
	Controller string
}

// Breach is an object for which a relation does not hold.
type Breach struct {
	// Text says what does not hold, as a clause about the object: "it is Ready, but its node node-1 does not report".
	Text string
	// For is what the object waits for outside its controller; empty if nothing keeps the controller from acting.
	For string
	// Since is when it should have held, if that was the passage of time and not a write; zero otherwise.
	Since time.Time
}

// Partial are Objects that do not have all kinds, such as a dump.
type Partial interface {
	Has(resource schema.GroupResource) bool
}

// Broken says what does not hold for an object; nil if the relation holds, or if that cannot be said, since it is about a kind that the
// objects do not have.
func (r *Relation) Broken(v *View, object runtime.Object) *Breach {
	v.lacks = false
	if breach := r.broken(v, object); !v.lacks {
		return breach
	}
	return nil
}

// All lists the relations, in the order of the files.
func All() []Relation {
	return slices.Concat(ofPods, ofNodes, ofServices, ofEndpoints, ofSelectors, ofRevisions, ofDeployments, ofDaemonSets, ofJobs,
		ofStatefulSets, ofVolumes, ofDevices, ofNamespaces, ofAccess, ofAutoscalers)
}

// broken is a breach that nothing outside the controller explains.
func broken(format string, args ...any) *Breach { return &Breach{Text: fmt.Sprintf(format, args...)} }

// of is one kind of object, which one controller keeps.
func of(resource schema.GroupResource, controller string) []Kept {
	return []Kept{{resource, controller}}
}

// slack is the time that a component has to act after a time has passed.
const slack = time.Minute

// View adds to Objects what several relations ask. It is for one instant.
type View struct {
	Objects
	// lists has the objects of a resource in a namespace, once they were needed.
	lists map[place][]runtime.Object
	// children has the objects of a resource by the UID of their controller; those without one have the empty UID.
	children map[place]map[string][]runtime.Object
	// shared has who uses a value that only one object may use, by the name of the relation.
	shared map[string]map[string][]string
	// slices has the EndpointSlices of a Service that a controller manages, by namespace, and overlaps what overlaps the Pod CIDRs of a
	// node.
	slices   map[string]map[managed][]*discoveryv1.EndpointSlice
	overlaps map[string]string
	// lacks means that a relation has asked for a kind that the objects do not have.
	lacks bool
}

type place struct {
	resource  schema.GroupResource
	namespace string
}

// NewView returns a View.
func NewView(objects Objects) *View {
	return &View{
		Objects: objects, lists: map[place][]runtime.Object{}, children: map[place]map[string][]runtime.Object{},
		shared: map[string]map[string][]string{}, slices: map[string]map[managed][]*discoveryv1.EndpointSlice{},
	}
}

// Get returns an object.
func (v *View) Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool) {
	v.ask(resource)
	return v.Objects.Get(resource, namespace, name)
}

// ask notes that a relation needs a kind.
func (v *View) ask(resource schema.GroupResource) {
	if partial, ok := v.Objects.(Partial); ok && !partial.Has(resource) {
		v.lacks = true
	}
}

// in are the objects of a resource in a namespace.
func (v *View) in(resource schema.GroupResource, namespace string) []runtime.Object {
	v.ask(resource)
	at := place{resource, namespace}
	list, known := v.lists[at]
	if !known {
		list = v.List(resource, namespace)
		v.lists[at] = list
	}
	return list
}

// controlledBy are the objects of a resource in a namespace that an object controls, and those without a controller if the UID is empty.
func (v *View) controlledBy(resource schema.GroupResource, namespace, uid string) []runtime.Object {
	v.ask(resource)
	at := place{resource, namespace}
	by, known := v.children[at]
	if !known {
		by = map[string][]runtime.Object{}
		for _, object := range v.in(resource, namespace) {
			controller := ""
			if owner := metav1.GetControllerOfNoCopy(metaOf(object)); owner != nil {
				controller = string(owner.UID)
			}
			by[controller] = append(by[controller], object)
		}
		v.children[at] = by
	}
	return by[uid]
}

// others are the objects, other than one, that use a value which only one may use. The values of all objects are collected by all when
// they are needed first.
func (v *View) others(relation, value, self string, all func(use func(value, name string))) []string {
	by, known := v.shared[relation]
	if !known {
		by = map[string][]string{}
		all(func(value, name string) { by[value] = append(by[value], name) })
		v.shared[relation] = by
	}
	return slices.DeleteFunc(slices.Clone(by[value]), func(name string) bool { return name == self })
}

func metaOf(object runtime.Object) metav1.Object {
	accessor, err := meta.Accessor(object)
	if err != nil {
		panic("relation: an object without metadata: " + err.Error())
	}
	return accessor
}

// keyOf is the namespace and the name of an object.
func keyOf(o metav1.Object) string {
	if o.GetNamespace() == "" {
		return o.GetName()
	}
	return o.GetNamespace() + "/" + o.GetName()
}
