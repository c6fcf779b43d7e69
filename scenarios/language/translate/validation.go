package translate

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"

	"github.com/kubestep/kubestep/sim/kinds"
)

// fieldValidation is the parameter of a query that says what the API server does about unknown and duplicate fields.
const fieldValidation = "fieldValidation"

// decoder knows the kinds with Go types, and decodes bodies as the API server does for fieldValidation=Strict.
type decoder struct {
	*runtime.Scheme
	runtime.Decoder
}

// typed decodes the kinds of clients, and CustomResourceDefinitions. It is made for the first write of a session: most commands need none.
var typed = sync.OnceValue(func() decoder {
	all := runtime.NewScheme()
	utilruntime.Must(scheme.AddToScheme(all))
	utilruntime.Must(apiextensionsv1.AddToScheme(all))
	return decoder{all, serializer.NewCodecFactory(all, serializer.EnableStrict).UniversalDeserializer()}
})

// isKnown reports whether the API server has nothing to say about the fields of a body, with any fieldValidation. If it has, the
// client waits for that answer: an error, a warning, or the object without the fields. No verb gives it, since a file with such
// fields is invalid.
//
// It may be false for a body in which all fields are known. Then the step is send, which is never wrong.
func (w written) isKnown(kind *kinds.Kind) bool {
	if w.Verb == "delete" {
		return true
	}
	validation := w.query.Get(fieldValidation)
	if !slices.Contains([]string{"", metav1.FieldValidationIgnore, metav1.FieldValidationWarn, metav1.FieldValidationStrict}, validation) {
		return false
	}
	gvk := kind.GroupVersionKind()
	if w.Subresource == "scale" {
		gvk = autoscalingv1.SchemeGroupVersion.WithKind("Scale")
	}
	if w.Verb == "patch" {
		return w.isKnownPatch(gvk, validation)
	}
	if typed().Recognizes(gvk) {
		_, _, err := typed().Decode(w.Body(), &gvk, nil)
		return err == nil
	}
	var fields any
	return validation == metav1.FieldValidationStrict && unique(w.Body(), &fields)
}

// isKnownPatch is known for a patch.
func (w written) isKnownPatch(gvk schema.GroupVersionKind, validation string) bool {
	var patch any
	if !unique(w.Patch, &patch) {
		return false
	}
	// The verbs ask for Strict: only the API server knows the schema of a kind without a Go type.
	if !typed().Recognizes(gvk) {
		return validation == metav1.FieldValidationStrict
	}
	if operations, ok := patch.([]any); ok {
		for _, operation := range operations {
			if set, ok := assigned(operation); !ok || set != nil && !decodes(gvk, set) {
				return false
			}
		}
		return true
	}
	return decodes(gvk, withoutDirectives(patch))
}

// unique decodes JSON and reports whether each of its fields is there once.
func unique(data []byte, into *any) bool {
	duplicates, err := kjson.UnmarshalStrict(data, into)
	return err == nil && len(duplicates) == 0
}

// decodes reports whether a part of an object decodes strictly.
func decodes(gvk schema.GroupVersionKind, part any) bool {
	data, err := json.Marshal(part)
	if err != nil {
		return false
	}
	_, _, err = typed().Decode(data, &gvk, nil)
	return err == nil
}

// withoutDirectives is a strategic merge patch without what it says about merging, such as $setElementOrder/containers.
func withoutDirectives(patch any) any {
	switch v := patch.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			if !strings.HasPrefix(name, "$") {
				out[name] = withoutDirectives(value)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, value := range v {
			out = append(out, withoutDirectives(value))
		}
		return out
	}
	return patch
}

// assigned is what an operation of a JSON patch sets, as a part of the object that it changes: nil if it sets nothing. It is not
// ok if that depends on the object.
func assigned(operation any) (part any, ok bool) {
	fields, ok := operation.(map[string]any)
	if !ok {
		return nil, false
	}
	switch fields["op"] {
	case "test", "remove":
		return nil, true
	case "add", "replace":
	default:
		return nil, false
	}
	path, ok := fields["path"].(string)
	if !ok || !strings.HasPrefix(path, "/") {
		return nil, false
	}
	part = fields["value"]
	for _, name := range slices.Backward(strings.Split(path[1:], "/")) {
		if _, err := strconv.ParseUint(name, 10, 32); err == nil || name == "-" {
			part = []any{part}
			continue
		}
		part = map[string]any{strings.NewReplacer("~1", "/", "~0", "~").Replace(name): part}
	}
	return part, true
}
