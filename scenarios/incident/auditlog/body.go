package auditlog

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/sim/kinds"
)

// sent is the request that a client sent.
type sent struct {
	*http.Request
	// hidden means that it had values of Secrets or ConfigMaps, guessed that the type of the patch is not certain, and orphaned
	// that it had references to owners whose uids are not known.
	hidden, guessed, orphaned bool
	// managed means that it depends on who manages fields.
	managed bool
	// images are those of its containers.
	images []string
}

// http makes the request that a client sent; nil if it changed nothing but what belongs to the cluster of the log. uids are those
// that the scenario has, too.
func (r *request) http(kind *kinds.Kind, uids func(uid types.UID) bool) (*sent, error) {
	var body any
	if r.event.RequestObject != nil {
		if err := json.Unmarshal(r.event.RequestObject.Raw, &body); err != nil {
			return nil, err
		}
	} else {
		body = r.defaultBody()
	}
	out, contentType := &sent{}, "application/json"
	if r.event.Verb == "patch" {
		var patch types.PatchType
		patch, out.guessed = r.patchType(kind, body)
		contentType = string(patch)
	}
	if r.event.ObjectRef.Subresource == "" && (kind.Kind == "Secret" || kind.Kind == "ConfigMap") {
		out.hidden = redact(kind.Kind, body)
	}
	out.images = images(body)
	body, out.orphaned = r.strip(body, uids)
	if isEmpty(body) && r.event.RequestObject != nil {
		return nil, nil
	}
	method := writes[r.event.Verb]
	if fields, ok := body.(map[string]any); ok && r.event.Verb == "update" && needsVersion(kind) {
		method, contentType, body = http.MethodPatch, string(types.JSONPatchType), replacing(fields)
	}
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body) // what JSON decoded encodes
	}
	var err error
	out.Request, err = http.NewRequest(method, "http://kube-apiserver"+r.event.RequestURI, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out.Header.Set("Content-Type", contentType)
	out.Header.Set("User-Agent", r.event.UserAgent)
	operations, _ := body.([]any)
	out.managed = contentType == string(types.ApplyPatchType) ||
		slices.ContainsFunc(operations, func(operation any) bool { return metadataField(operation) == managedFields })
	return out, nil
}

// defaultBody is the body of a deletion or an eviction of which the log has only the path.
func (r *request) defaultBody() any {
	ref := r.event.ObjectRef
	switch {
	case ref.Subresource == "eviction":
		return map[string]any{
			"apiVersion": "policy/v1", "kind": "Eviction", "metadata": map[string]any{"name": ref.Name, "namespace": ref.Namespace},
		}
	case r.event.Level == auditv1.LevelMetadata:
		return map[string]any{"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": string(metav1.DeletePropagationBackground)}
	}
	return nil
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
	certain := strings.HasPrefix(client, "kubectl") || client == "helm" // kubectl.exe, kubectl1.36
	return types.StrategicMergePatchType, !certain && hasLists(fields) && !hasDirective(fields)
}

// hasLists reports whether a patch has lists of objects, which the two types of patches merge in different ways.
func hasLists(value any) bool {
	return hasField(value, func(_ string, value any) bool {
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
	return hasField(value, func(name string, _ any) bool { return strings.HasPrefix(name, "$") })
}

// hasField reports whether a test holds for a field, at any depth.
func hasField(value any, test func(name string, value any) bool) bool {
	switch value := value.(type) {
	case map[string]any:
		for name, below := range value {
			if test(name, below) || hasField(below, test) {
				return true
			}
		}
	case []any:
		for _, below := range value {
			if hasField(below, test) {
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
