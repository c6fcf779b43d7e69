package auditlog

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/snapshot"
	"github.com/kubestep/kubestep/sim/kinds"
)

// http makes the request that a client sent. hidden reports whether it had values of Secrets or ConfigMaps.
func (r *request) http(kind *kinds.Kind) (out *http.Request, hidden, guessed bool, err error) {
	var body any
	if r.event.RequestObject != nil {
		if err := json.Unmarshal(r.event.RequestObject.Raw, &body); err != nil {
			return nil, false, false, err
		}
	}
	contentType := "application/json"
	if r.event.Verb == "patch" {
		var patch types.PatchType
		patch, guessed = r.patchType(kind, body)
		contentType = string(patch)
	}
	if r.event.ObjectRef.Subresource == "" && (kind.Kind == "Secret" || kind.Kind == "ConfigMap") {
		hidden = redact(kind.Kind, body)
	}
	if fields, ok := body.(map[string]any); ok {
		r.strip(fields)
	}
	var data []byte
	if body != nil {
		if data, err = json.Marshal(body); err != nil {
			return nil, false, false, err
		}
	}
	out, err = http.NewRequest(writes[r.event.Verb], "http://kube-apiserver"+r.event.RequestURI, bytes.NewReader(data))
	if err != nil {
		return nil, false, false, err
	}
	out.Header.Set("Content-Type", contentType)
	return out, hidden, guessed, nil
}

// strip removes what belongs to the cluster of the log: uids, resourceVersions, and who manages which fields. An object of which the
// server made the name gets that name.
func (r *request) strip(fields map[string]any) {
	if r.event.Verb == "delete" || r.event.Verb == "deletecollection" {
		delete(fields, "preconditions")
		fields["apiVersion"] = "v1"
		return
	}
	metadata, _ := fields["metadata"].(map[string]any)
	for _, name := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"} {
		delete(metadata, name)
	}
	if metadata["name"] == nil && metadata["generateName"] != nil && r.event.Verb == "create" && r.created != "" {
		metadata["name"] = r.created
	}
	// An update without an address keeps that of the simulation.
	if spec, ok := fields["spec"].(map[string]any); ok && r.event.ObjectRef.Resource == "services" && r.event.Verb == "update" {
		delete(spec, "clusterIP")
		delete(spec, "clusterIPs")
	}
}

// patchType finds the type of a patch, which an audit log does not have. guessed is true if a merge patch would do something else.
func (r *request) patchType(kind *kinds.Kind, body any) (patch types.PatchType, guessed bool) {
	fields, ok := body.(map[string]any)
	switch {
	case !ok:
		return types.JSONPatchType, false
	case fields["apiVersion"] != nil && fields["kind"] != nil && !strings.Contains(r.event.RequestURI, "fieldManager=kubectl-"):
		return types.ApplyPatchType, false
	case kinds.BuiltIn().Of(kind.GroupResource()) == nil, r.event.ObjectRef.Subresource == "scale":
		return types.MergePatchType, false
	}
	client := clientOf(r.event)
	return types.StrategicMergePatchType, client != "kubectl" && client != "helm" && hasLists(fields) && !hasDirective(fields)
}

// hasLists reports whether a patch has lists of objects, which the two types of patches merge in different ways.
func hasLists(value any) bool {
	return anyField(value, func(_ string, value any) bool {
		items, ok := value.([]any)
		if !ok || len(items) == 0 {
			return false
		}
		_, objects := items[0].(map[string]any)
		return objects
	})
}

// hasDirective reports whether a patch has directives, which only a strategic merge patch has.
func hasDirective(value any) bool {
	return anyField(value, func(name string, _ any) bool { return strings.HasPrefix(name, "$") })
}

// anyField reports whether a test holds for a field, at any depth.
func anyField(value any, test func(name string, value any) bool) bool {
	switch value := value.(type) {
	case map[string]any:
		for name, below := range value {
			if test(name, below) || anyField(below, test) {
				return true
			}
		}
	case []any:
		for _, below := range value {
			if anyField(below, test) {
				return true
			}
		}
	}
	return false
}

// redact hides the values of a Secret or ConfigMap in the body of a request, as those of a dump: in the object, in the copy of it
// that kubectl apply keeps, and in patches.
func redact(kind string, body any) (hidden bool) {
	operations, _ := body.([]any)
	for _, each := range operations {
		operation, _ := each.(map[string]any)
		path, _ := operation["path"].(string)
		field, _, below := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		values := map[string]any{field: operation["value"]}
		switch {
		case operation["value"] == nil:
		case below && (field == "data" || field == "stringData" || field == "binaryData"):
			operation["value"], hidden = snapshot.Redacted(kind, field), true
		case snapshot.Redact(kind, values):
			hidden = true
		}
	}
	fields, ok := body.(map[string]any)
	if !ok {
		return hidden
	}
	hidden = snapshot.Redact(kind, fields)
	metadata, _ := fields["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	last, _ := annotations[corev1.LastAppliedConfigAnnotation].(string)
	var applied map[string]any
	if json.Unmarshal([]byte(last), &applied) == nil && snapshot.Redact(kind, applied) {
		data, _ := json.Marshal(applied) // fields of an object always encode
		annotations[corev1.LastAppliedConfigAnnotation], hidden = string(data), true
	}
	return hidden
}
