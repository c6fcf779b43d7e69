package liveness

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/trace"
)

// Lack is what an object wants and does not have.
type Lack struct {
	// Missing is the difference, such as "2 Pods, but spec.replicas is 3".
	Missing string `json:"missing"`
	// For is what the object waits for outside its controller; empty if nothing keeps the controller from acting.
	For string `json:"waitsFor,omitempty"`
	// On is the object that For is about; nil if that is not an object.
	On *trace.Object `json:"waitsForObject,omitempty"`
	// Since is when it began, if that was the passage of time and not a write; zero otherwise.
	Since time.Time `json:"-"`
	// Refused means that the object waits for the API server, which forbids what its controller wants.
	Refused bool `json:"-"`
	// Alone means that the object alone shows it, without other objects.
	Alone bool `json:"-"`
}

// String says what is missing, and what the object waits for.
func (l Lack) String() string {
	if l.For == "" {
		return l.Missing
	}
	return l.Missing + "; waiting for " + l.For
}

// await says that the object waits for something about another object.
func (l *Lack) await(resource schema.GroupResource, object runtime.Object, text string) {
	on := name(resource, object)
	l.For, l.On = text, &on
}

// Finding is an object that is not in its desired state.
type Finding struct {
	Object     trace.Object
	Controller string
	Lack
	// Goal is the one that the object misses.
	Goal Goal
	// Idle means that the controller does not run.
	Idle bool
	// Verdict is that of Judge, once somebody has asked.
	Verdict Verdict
}

// Key is the key under which the controller queues the object.
func (f *Finding) Key() string {
	name := f.Object.Name
	if f.Controller == names.GarbageCollectorController {
		resource, _, _ := strings.Cut(f.Object.Resource, ".")
		name = resource + "/" + name
	}
	if f.Object.Namespace == "" {
		return name
	}
	return f.Object.Namespace + "/" + name
}

// idle follows the name of a controller that an object waits for.
const idle = ", which does not run"

// Waits reports whether the object waits for something besides a controller that does not run.
func (f *Finding) Waits() bool { return f.For != "" && f.For != f.Controller+idle }

// String returns a sentence.
func (f *Finding) String() string { return trace.ObjectName(f.Object) + ": " + f.Lack.String() }

func name(resource schema.GroupResource, object runtime.Object) trace.Object {
	accessor, err := meta.Accessor(object)
	if err != nil {
		panic("liveness: an object without metadata: " + err.Error())
	}
	return trace.Object{Resource: resource.String(), Namespace: accessor.GetNamespace(), Name: accessor.GetName()}
}
