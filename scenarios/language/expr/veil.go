package expr

import (
	"errors"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/trace"
)

// Explanations and errors redact the values of Secrets, as traces do. A condition can take values apart and put them
// together, so its text does not tell which steps have some of them. It is evaluated twice: with the Secrets, and in a world
// whose Secrets have other values. What comes out the same does not depend on them and is shown; all else is redacted.
//
//	string(secret('db').data.password) == 'x' && secret('db').type == 'Opaque'
//	-> string(secret('db').data.password) = redacted:f52fbd32

// veiled is a World in which the values of Secrets are redacted.
type veiled struct{ World }

var secrets = corev1.Resource("secrets")

// Get implements World.
func (w veiled) Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool) {
	object, ok := w.World.Get(resource, namespace, name)
	if ok && resource == secrets {
		object = veil(object)
	}
	return object, ok
}

// List implements World.
func (w veiled) List(resource schema.GroupResource, namespace string) []runtime.Object {
	objects := w.World.List(resource, namespace)
	if resource != secrets {
		return objects
	}
	copies := make([]runtime.Object, len(objects))
	for i, object := range objects {
		copies[i] = veil(object)
	}
	return copies
}

// veil is a Secret without its values.
func veil(object runtime.Object) runtime.Object {
	secret, ok := object.(*corev1.Secret)
	if !ok {
		return object
	}
	secret = secret.DeepCopy()
	for key, value := range secret.Data {
		secret.Data[key] = []byte(trace.RedactedValue(value))
	}
	if applied, ok := secret.Annotations[corev1.LastAppliedConfigAnnotation]; ok {
		secret.Annotations[corev1.LastAppliedConfigAnnotation] = trace.RedactedValue([]byte(applied))
	}
	return secret
}

// veil looks at the condition in the veiled world, if it reads Secrets; otherwise there is nothing to hide.
func (c *Condition) veil(w World, seen observation) *observation {
	if !seen.secrets {
		return nil
	}
	_, other, err := c.watch(veiled{w})
	if errors.Is(err, ErrTooMuch) || other.State == nil {
		return &observation{}
	}
	return &other
}

// reveal shows what came out of a step, or a digest if it depends on the value of a Secret: other is what comes out in the
// veiled world, or nil. Whether something is true is always shown: it is what the reader asks.
func (x *explainer) reveal(value, other ref.Val, show func(ref.Val) string) string {
	shown := show(value)
	switch {
	case x.veiled == nil, value.Type() == types.BoolType:
		return shown
	case other != nil && other.Type() == value.Type() && show(other) == shown:
		return shown
	}
	switch text := value.(type) {
	case types.String:
		return trace.RedactedValue([]byte(text))
	case types.Bytes:
		return trace.RedactedValue(text)
	}
	return trace.RedactedValue([]byte(shown))
}

// otherValue is the value of a step in the veiled world.
func (x *explainer) otherValue(e ast.Expr) ref.Val {
	if x.veiled == nil || x.veiled.State == nil {
		return nil
	}
	value, _ := x.veiled.State.Value(e.ID())
	return value
}

// errUnshown stands for an error whose text depends on the value of a Secret.
var errUnshown = errors.New("an error that is not shown, because its text has the value of a Secret")

// unveiled is the error of a condition, without the values of Secrets. It stays a *NotFoundError if it is one.
func (c *Condition) unveiled(w World, told error) error {
	_, _, err := c.watch(veiled{w})
	other := errUnshown
	if err != nil {
		other = c.tell(veiled{w}, err)
	}
	var missing, otherMissing *NotFoundError
	switch {
	case other.Error() == told.Error():
		return told
	case errors.As(told, &missing) != errors.As(other, &otherMissing):
		if missing != nil {
			return &NotFoundError{What: "something that the value of a Secret names"}
		}
		return errUnshown
	}
	return other
}
