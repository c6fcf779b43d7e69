package expr

import (
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// World provides what conditions read. Objects are shared objects of the Kubernetes API, in the versions that the table
// of kinds prefers; they must not be modified. Those of a kind without a Go type are *unstructured.Unstructured.
type World interface {
	// Now is the virtual time since time zero.
	Now() time.Duration
	// Get returns an object; namespace is empty for cluster-scoped resources.
	Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool)
	// List returns all objects of a resource in a fixed order. An empty namespace means all.
	List(resource schema.GroupResource, namespace string) []runtime.Object
	// Records returns the trace so far, without background records. Between two calls it may only grow at its end:
	// conditions continue where they stopped.
	Records() []*trace.Record
}

// evaluation is one look at a simulation. It is also CEL's activation: where variables get their values.
type evaluation struct {
	world World
	types *typeTable
	// cursors are where the condition is in the trace; they outlive the evaluation.
	cursors *cursors
	// worked counts the work done (bounds.go).
	worked, maxWork uint64

	// object is the value of the variable object, for a condition of Env.About.
	object  runtime.Object
	lists   map[listKey][]runtime.Object
	results map[int64]ref.Val
	// items is set when an explanation wants the values of loop variables.
	items map[int64]ref.Val
	// secrets is whether Secrets were read.
	secrets bool
	// elsewhere says where the objects are that a list does not have. Only an explanation asks.
	elsewhere string
}

// isExplained reports whether somebody wants to know more than the value of the condition.
func (e *evaluation) isExplained() bool { return e.items != nil }

type listKey struct {
	resource  schema.GroupResource
	namespace string
}

// The variables of the activation. evaluationVariable is not an identifier, so no condition can name it.
const (
	nowVariable        = "now"
	objectVariable     = "object"
	evaluationVariable = "@evaluation"
)

var _ interpreter.Activation = (*evaluation)(nil)

// ResolveName implements interpreter.Activation.
func (e *evaluation) ResolveName(name string) (any, bool) {
	switch name {
	case nowVariable:
		return types.Duration{Duration: e.world.Now()}, true
	case objectVariable:
		if e.object == nil {
			return nil, false
		}
		return e.types.NativeToValue(e.object), true
	case evaluationVariable:
		return e, true
	case interruptVariable:
		return e.work(1) != nil, true
	}
	return nil, false
}

// Parent implements interpreter.Activation.
func (e *evaluation) Parent() interpreter.Activation { return nil }

// get returns an object as a CEL value, or an error that it does not exist.
func (e *evaluation) get(r objectRef) ref.Val {
	obj, ok := e.world.Get(r.kind.GroupResource(), r.namespace, r.name)
	if !ok {
		return notFound(r.String())
	}
	e.secrets = e.secrets || r.kind.GroupResource() == secrets
	return e.types.NativeToValue(obj)
}

// notFound is the error that an object does not exist.
func notFound(what string) ref.Val { return types.WrapErr(&NotFoundError{What: what}) }

// list returns the objects of a resource. Within one evaluation the simulation does not change, so it is asked once.
func (e *evaluation) list(k *kinds.Kind, namespace string) ([]runtime.Object, error) {
	key := listKey{k.GroupResource(), namespace}
	objects, ok := e.lists[key]
	if !ok {
		objects = e.world.List(key.resource, namespace)
		e.secrets = e.secrets || key.resource == secrets
		if e.lists == nil {
			e.lists = map[listKey][]runtime.Object{}
		}
		e.lists[key] = objects
	}
	return objects, e.work(uint64(len(objects)))
}
