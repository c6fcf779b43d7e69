package auditlog

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// ofCluster are the fields of metadata that the API server sets: in another cluster, they have other values.
var ofCluster = []string{"uid", "resourceVersion", "creationTimestamp", "generation", managedFields, "selfLink"}

// strip removes what belongs to the cluster of the log, such as uids and resourceVersions. An object of which the
// server made the name gets that name. orphaned reports whether references to owners are removed.
func (r *request) strip(body any, uids func(uid types.UID) bool) (left any, orphaned bool) {
	if operations, ok := body.([]any); ok {
		operations = slices.DeleteFunc(operations, isOfCluster)
		for _, operation := range operations {
			takeOver(operation)
		}
		return operations, false
	}
	fields, ok := body.(map[string]any)
	if !ok {
		return body, false
	}
	if r.event.Verb == "delete" || r.event.Verb == "deletecollection" {
		delete(fields, "preconditions")
		fields["apiVersion"] = "v1"
		return fields, false
	}
	if metadata, ok := fields["metadata"].(map[string]any); ok {
		for _, name := range ofCluster {
			delete(metadata, name)
		}
		orphaned = stripOwners(metadata, uids)
		if metadata["name"] == nil && metadata["generateName"] != nil && r.event.Verb == "create" && r.created != "" {
			metadata["name"] = r.created
		}
		if len(metadata) == 0 {
			delete(fields, "metadata")
		}
	}
	// An update without an address keeps that of the simulation.
	if spec, ok := fields["spec"].(map[string]any); ok && r.event.ObjectRef.Resource == "services" && r.event.Verb == "update" {
		delete(spec, "clusterIP")
		delete(spec, "clusterIPs")
	}
	return fields, orphaned
}

// isOfCluster reports whether an operation of a JSON patch is about a field that the API server sets.
func isOfCluster(operation any) bool {
	field := metadataField(operation)
	return field != managedFields && slices.Contains(ofCluster, field)
}

// managedFields is the field that a JSON patch may set, too: kubectl apply --server-side sends one to take over the fields of kubectl
// apply. What the next request removes depends on it.
const managedFields = "managedFields"

// takeOver sets managedFields where there may be none.
func takeOver(operation any) {
	if fields, ok := operation.(map[string]any); ok && metadataField(operation) == managedFields && fields["op"] == "replace" {
		fields["op"] = "add"
	}
}

// metadataField is the field of metadata that an operation of a JSON patch is about.
func metadataField(operation any) string {
	fields, _ := operation.(map[string]any)
	path, _ := fields["path"].(string)
	below, ok := strings.CutPrefix(path, "/metadata/")
	if !ok {
		return ""
	}
	field, _, _ := strings.Cut(below, "/")
	return field
}

// stripOwners removes the references to owners that have other uids in the simulation: its garbage collector would delete the
// object.
func stripOwners(metadata map[string]any, uids func(uid types.UID) bool) (removed bool) {
	references, ok := metadata["ownerReferences"].([]any)
	if !ok {
		return false
	}
	known := slices.DeleteFunc(slices.Clone(references), func(reference any) bool {
		fields, _ := reference.(map[string]any)
		uid, _ := fields["uid"].(string)
		return !uids(types.UID(uid))
	})
	if len(known) == len(references) {
		return false
	}
	if metadata["ownerReferences"] = known; len(known) == 0 {
		delete(metadata, "ownerReferences")
	}
	return true
}

// isEmpty reports whether a body has nothing left.
func isEmpty(body any) bool {
	switch body := body.(type) {
	case []any:
		return len(body) == 0
	case map[string]any:
		return len(body) == 0
	}
	return body == nil
}
