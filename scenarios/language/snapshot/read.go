package snapshot

import (
	"errors"
	"fmt"
	"io"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Error says what is wrong with a dump, and what to do instead.
type Error struct{ Message, Try string }

// Error implements error.
func (e *Error) Error() string { return e.Message }

const howToDump = "kubectl get deployments,replicasets,pods,nodes,events -o yaml > dump.yaml"

// sizeMax bounds a dump: an endless pipe must end in an error, not in all memory.
var sizeMax = input.Dump.Budget()

// bufferSize is how far the reader looks to tell JSON from YAML.
const bufferSize = 4096

// read takes the objects out of a dump: YAML documents or JSON, and lists of any kind in it.
func read(in io.Reader) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	bounded := &io.LimitedReader{R: in, N: sizeMax + 1}
	decoder := utilyaml.NewYAMLOrJSONDecoder(bounded, bufferSize)
	for document := 1; ; document++ {
		var content map[string]any
		err := decoder.Decode(&content)
		if bounded.N == 0 {
			return nil, &Error{
				fmt.Sprintf("is larger than %d MiB", sizeMax>>20),
				"a dump of one namespace: kubectl get all -n shop -o yaml > dump.yaml",
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, &Error{fmt.Sprintf("document %d: %v", document, reason(err)), howToDump}
		}
		if len(content) == 0 {
			continue
		}
		found, err := take(content)
		if err != nil {
			return nil, &Error{fmt.Sprintf("document %d: %v", document, err), howToDump}
		}
		objects = append(objects, found...)
	}
	if len(objects) == 0 {
		return nil, &Error{"contains no objects", howToDump}
	}
	return objects, nil
}

// reason drops what the decoder says about itself.
func reason(err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, "cannot unmarshal"):
		return "is not a Kubernetes object"
	case strings.Contains(text, "UTF-8") || strings.Contains(text, "control characters"):
		return "is binary, not YAML or JSON"
	}
	for _, prefix := range []string{"error converting YAML to JSON: ", "error unmarshaling JSON: ", "yaml: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}

// take splits a list, or returns the one object. As kubectl does, it puts an object without a namespace into default.
func take(content map[string]any) ([]*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{Object: content}
	if object.GetKind() == "" || object.GetAPIVersion() == "" {
		return nil, errors.New("is not a Kubernetes object: apiVersion or kind is missing")
	}
	items, ok := content["items"].([]any)
	if !ok || !strings.HasSuffix(object.GetKind(), "List") {
		if object.GetName() == "" {
			return nil, fmt.Errorf("%s without metadata.name", object.GetKind())
		}
		kind := kinds.BuiltIn().Serving(object.GroupVersionKind())
		if kind != nil && kind.Namespaced && object.GetNamespace() == "" {
			object.SetNamespace(metav1.NamespaceDefault)
		}
		return []*unstructured.Unstructured{object}, nil
	}
	var objects []*unstructured.Unstructured
	for i, item := range items {
		content, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("items[%d] is not an object", i)
		}
		// The items of a PodList have no kind of their own, in what the API server answers.
		single := strings.TrimSuffix(object.GetKind(), "List")
		if content["kind"] == nil && single != "" {
			content["kind"], content["apiVersion"] = single, object.GetAPIVersion()
		}
		found, err := take(content)
		if err != nil {
			return nil, fmt.Errorf("items[%d]: %w", i, err)
		}
		objects = append(objects, found...)
	}
	return objects, nil
}
