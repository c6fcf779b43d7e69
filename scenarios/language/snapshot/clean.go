package snapshot

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/sim/kinds"
)

// redacted stands where the values of Secrets and ConfigMaps stood.
const redacted = "redacted"

// strict finds the fields that this version of Kubernetes does not know.
var strict = jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, manifest.Scheme, manifest.Scheme,
	jsonserializer.SerializerOptions{Strict: true})

// clean leaves of each object what belongs to its state.
func (s *snapshot) clean() error {
	var unknown, hidden []string
	for i, o := range s.objects {
		if s.kinds != kinds.BuiltIn() && kinds.BuiltIn().Serving(o.GroupVersionKind()) == nil {
			// Its fields are those of its definition.
			strip(o)
			continue
		}
		fields, err := known(o)
		if err != nil {
			return malformed(o, err)
		}
		for _, field := range fields.unknown {
			unknown = append(unknown, title(o)+" "+field)
		}
		s.objects[i] = fields.object
		s.byTitle[title(o)] = fields.object
		strip(fields.object)
		if redact(fields.object) {
			hidden = append(hidden, title(fields.object))
		}
	}
	if len(unknown) > 0 {
		s.report.Omitted = append(s.report.Omitted, "fields unknown to Kubernetes v1.36: "+some(unknown))
	}
	if len(hidden) > 0 {
		s.report.Omitted = append(s.report.Omitted,
			"values, but not their keys (the env of containers is unchanged): "+some(hidden))
	}
	return nil
}

// malformed is the error for an object that Kubernetes does not read.
func malformed(o *unstructured.Unstructured, err error) error {
	return &Error{fmt.Sprintf("%s: %v", title(o), err), "the object as kubectl get -o yaml prints it"}
}

// decoded is an object with the fields that Kubernetes knows, and the paths of the others.
type decoded struct {
	object  *unstructured.Unstructured
	unknown []string
}

func known(o *unstructured.Unstructured) (*decoded, error) {
	raw, err := o.MarshalJSON()
	if err != nil {
		return nil, err
	}
	typed, gvk, err := strict.Decode(raw, nil, nil)
	out := &decoded{}
	if wrong, isStrict := runtime.AsStrictDecodingError(err); isStrict {
		for _, each := range wrong.Errors() {
			out.unknown = append(out.unknown, strings.Trim(strings.TrimPrefix(each.Error(), "unknown field "), `"`))
		}
	} else if err != nil {
		return nil, err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, err
	}
	out.object = &unstructured.Unstructured{Object: content}
	out.object.SetGroupVersionKind(*gvk)
	return out, nil
}

// strip removes the bookkeeping of the API server and of kubectl.
func strip(o *unstructured.Unstructured) {
	o.SetManagedFields(nil)
	o.SetResourceVersion("")
	o.SetSelfLink("")
	if annotations := o.GetAnnotations(); annotations[corev1.LastAppliedConfigAnnotation] != "" {
		delete(annotations, corev1.LastAppliedConfigAnnotation)
		o.SetAnnotations(annotations)
	}
	dropNullTimes(o.Object)
	if status, ok := o.Object["status"].(map[string]any); ok && len(status) == 0 {
		delete(o.Object, "status")
	}
}

// dropNullTimes removes the creationTimestamp: null that Go's types print in templates.
func dropNullTimes(value any) {
	switch value := value.(type) {
	case map[string]any:
		if when, there := value["creationTimestamp"]; there && when == nil {
			delete(value, "creationTimestamp")
		}
		for _, child := range value {
			dropNullTimes(child)
		}
	case []any:
		for _, child := range value {
			dropNullTimes(child)
		}
	}
}

// redact hides the values of a Secret or ConfigMap, and reports whether there were any.
func redact(o *unstructured.Unstructured) (hidden bool) {
	return slices.Contains([]string{"Secret", "ConfigMap"}, o.GetKind()) && Redact(o.GetKind(), o.Object)
}

// Redact hides the values in the fields of a Secret or ConfigMap, or in a patch of one, and reports whether there were any.
func Redact(kind string, fields map[string]any) (hidden bool) {
	for _, field := range []string{"data", "binaryData", "stringData"} {
		values, ok := fields[field].(map[string]any)
		if !ok {
			continue
		}
		for key, value := range values {
			if value != nil { // in a patch, null removes a key
				values[key], hidden = Redacted(kind, field), true
			}
		}
	}
	return hidden
}

// Redacted is what stands in the place of a value of a Secret or ConfigMap.
func Redacted(kind, field string) string {
	if field == "binaryData" || field == "data" && kind == "Secret" {
		return base64.StdEncoding.EncodeToString([]byte(redacted))
	}
	return redacted
}
