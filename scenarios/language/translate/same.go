package translate

import (
	"bytes"
	"encoding/json"
	"net/http"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// IsSame reports whether a request that a verb makes does what one of a client does, and leaves the same trace: it has the same
// address and options, and a body that decodes to the same object, or the same patch.
func IsSame(wire *apiserver.Wire, r *http.Request, req apiserver.Request) bool {
	w := written{Wire: wire, http: r, query: r.URL.Query()}
	have, want := addressOf(wire.Request), addressOf(req)
	if have != want || !w.isOrdinary() {
		return false
	}
	switch req.Verb {
	case "create":
		return w.hasObject(req.Object)
	case "patch":
		return req.PatchType == wire.PatchType && bytes.Equal(compacted(req.Patch), compacted(wire.Patch))
	case "delete":
		options := deleteOptions(w.Body())
		if options == nil {
			return false
		}
		options.TypeMeta = metav1.TypeMeta{}
		return equality.Semantic.DeepEqual(*options, req.DeleteOptions)
	}
	return false
}

// address is where a request goes.
type address struct{ verb, resource, subresource, namespace, name string }

func addressOf(req apiserver.Request) address {
	return address{req.Verb, req.Resource.String(), req.Subresource, req.Namespace, req.Name}
}

// hasObject reports whether the body of a creation is an object. An object without a namespace gets that of the address.
func (w written) hasObject(object runtime.Object) bool {
	body, err := w.content()
	if err != nil {
		return false
	}
	other, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return false
	}
	return equality.Semantic.DeepEqual(w.normal(body), w.normal(other))
}

// content is the object in the body, as its type has it if there is one.
func (w written) content() (map[string]any, error) {
	gvk := w.Resource.GroupVersion().WithKind("")
	if decoded, _, err := typed().Decode(w.Body(), &gvk, nil); err == nil {
		return runtime.DefaultUnstructuredConverter.ToUnstructured(decoded)
	}
	var out map[string]any
	return out, utiljson.Unmarshal(w.Body(), &out)
}

// normal is an object without what the address of its request says as well.
func (w written) normal(content map[string]any) map[string]any {
	object := &unstructured.Unstructured{Object: content}
	if accessor, err := meta.Accessor(object); err == nil && accessor.GetNamespace() == "" && w.Namespace != "" {
		accessor.SetNamespace(w.Namespace)
	}
	unstructured.RemoveNestedField(content, "kind")
	unstructured.RemoveNestedField(content, "apiVersion")
	return content
}

// compacted is a text of JSON as the trace has it; what is not JSON stays.
func compacted(text []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return text
	}
	return out.Bytes()
}
