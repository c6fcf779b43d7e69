package fresh

import (
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// Users know which objects of a run are theirs: what they created or changed. The controllers' are those that controllers created for
// others. Note must see each record of the run.
type Users struct {
	// created is the place of each object in the order of creation, by its uid, and touched are those that users wrote.
	created map[string]int
	touched map[string]bool
	// owner is the controller that an object was created for, empty if for none, and claims are PersistentVolumeClaims that a StatefulSet
	// made.
	owner  map[string]string
	claims map[string]bool
	// bound are Pods that were created with their node.
	bound map[string]bool
	// system are objects that are there before the first step.
	system map[string]bool
	// nodes are the nodes as they began, by their names.
	nodes       map[string]map[string]any
	wroteStatus bool
	// collected means that garbage-collector-controller runs.
	collected bool
	// namedOwners means that users created an object with an owner.
	namedOwners bool
}

// NewUsers returns Users before the first record.
func NewUsers() *Users {
	return &Users{
		created: map[string]int{}, touched: map[string]bool{}, owner: map[string]string{}, claims: map[string]bool{},
		bound: map[string]bool{}, system: map[string]bool{}, nodes: map[string]map[string]any{},
	}
}

// statuses are subresources with which users write what controllers say.
var statuses = []string{"status", "approval"}

// Note takes the next record.
func (u *Users) Note(record *trace.Record) {
	request := record.Request
	u.collected = u.collected || record.Actor == "garbage-collector-controller"
	if request == nil {
		return
	}
	for i := range request.Writes {
		w := &request.Writes[i]
		if w.Op == trace.OpCreate {
			u.create(record, w)
		}
		if record.Actor != verb.User || w.Resource != request.Resource || w.Op == trace.OpDelete {
			continue
		}
		if slices.Contains(statuses, request.Subresource) {
			u.wroteStatus = true
			continue
		}
		if request.Verb != "delete" && request.Subresource != "eviction" && request.Subresource != "binding" {
			u.touched[w.UID] = true
		}
	}
}

// create notes a creation.
func (u *Users) create(record *trace.Record, w *trace.Write) {
	u.created[w.UID] = len(u.created) + 1
	var content map[string]any
	if json.Unmarshal(w.New, &content) != nil {
		return
	}
	if record.At < 0 || record.Actor != verb.User && controllerOf(content) == "" && w.Resource != claimsResource {
		u.system[w.UID] = true
	}
	switch {
	case w.Resource == "nodes":
		u.nodes[w.Name] = content
	case w.Resource == "pods":
		u.bound[w.UID] = text(content, "spec", "nodeName") != ""
	case w.Resource == claimsResource && record.Actor == "statefulset-controller":
		u.claims[w.UID] = true
	}
	u.owner[w.UID] = controllerOf(content)
	u.namedOwners = u.namedOwners || record.Actor == verb.User && len(owners(content)) > 0
}

const claimsResource = "persistentvolumeclaims"

// controllerOf is the kind and the name of the controller of an object, empty if it has none.
func controllerOf(content map[string]any) string {
	for _, owner := range owners(content) {
		if owner["controller"] == true {
			return fmt.Sprint(owner["kind"], "/", owner["name"])
		}
	}
	return ""
}

// wants says whether users want an object, by its place in the order of creation, 0 if they do not.
func (u *Users) wants(object trace.Object, content map[string]any) (order int, reason Reason) {
	uid := text(content, "metadata", "uid")
	references, controller := owners(content), controllerOf(content)
	switch {
	case object.Resource == "events" || object.Resource == "events.events.k8s.io":
		return 0, ""
	case text(content, "metadata", "deletionTimestamp") != "":
		return 0, Terminating
	case controller != "" && controller != u.owner[uid]:
		return 0, Adopted
	case controller != "":
		return 0, ""
	case object.Resource == claimsResource && text(content, "status", "phase") == string(corev1.ClaimLost):
		return 0, ClaimLost
	case object.Resource == "resourcequotas" && isExceeded(content):
		return 0, QuotaExceeded
	case u.system[uid] && u.touched[uid]:
		return 0, SystemChanged
	case !u.touched[uid] && u.owner[uid] == "" && !u.claims[uid]:
		return 0, ""
	case len(references) > 0 && u.claims[uid]:
		return 0, ""
	case len(references) > 0:
		return 0, OwnersByUID
	}
	return max(u.created[uid], 1), ""
}

// isExceeded reports whether more is used than a ResourceQuota allows.
func isExceeded(quota map[string]any) bool {
	used := textsAt(quota, "status", "used")
	for name, hard := range textsAt(quota, "status", "hard") {
		limit, limitErr := resource.ParseQuantity(hard)
		amount, amountErr := resource.ParseQuantity(used[name])
		if limitErr == nil && amountErr == nil && amount.Cmp(limit) > 0 {
			return true
		}
	}
	return false
}

// owners are the owner references of an object.
func owners(content map[string]any) (all []map[string]any) {
	references, _ := at(content, "metadata", "ownerReferences").([]any)
	for _, reference := range references {
		if owner, ok := reference.(map[string]any); ok {
			all = append(all, owner)
		}
	}
	return all
}

// at is a field of an object, nil if there is none.
func at(content map[string]any, path ...string) any {
	value, _, _ := unstructured.NestedFieldNoCopy(content, path...)
	return value
}

// text is a field of an object that is a text, empty if there is none.
func text(content map[string]any, path ...string) string {
	value, _, _ := unstructured.NestedString(content, path...)
	return value
}
