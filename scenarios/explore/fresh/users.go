package fresh

import (
	"encoding/json"
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// Users know which objects of a run are theirs: what they created or changed. The controllers' are those that controllers created for
// others. Note must see each record of the run.
type Users struct {
	// created is the place of each object in the order of creation, by its uid, and touched are those that users wrote.
	created map[string]int
	touched map[string]bool
	// owned were created for a controller, and claims are PersistentVolumeClaims that a StatefulSet made.
	owned, claims map[string]bool
	// bound are Pods that were created with their node.
	bound map[string]bool
	// system are objects that are there before the first step.
	system map[string]bool
	// nodes are the nodes as they began, by their names.
	nodes       map[string]map[string]any
	wroteStatus bool
}

// NewUsers returns Users before the first record.
func NewUsers() *Users {
	return &Users{
		created: map[string]int{}, touched: map[string]bool{}, owned: map[string]bool{}, claims: map[string]bool{},
		bound: map[string]bool{}, system: map[string]bool{}, nodes: map[string]map[string]any{},
	}
}

// statuses are subresources with which users write what controllers say.
var statuses = []string{"status", "approval"}

// Note takes the next record.
func (u *Users) Note(record *trace.Record) {
	request := record.Request
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
	if record.At < 0 || record.Actor != verb.User && !u.isOwned(content) && w.Resource != claimsResource {
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
	if u.isOwned(content) {
		u.owned[w.UID] = true
	}
}

const claimsResource = "persistentvolumeclaims"

func (u *Users) isOwned(content map[string]any) bool {
	return slices.ContainsFunc(owners(content), func(owner map[string]any) bool { return owner["controller"] == true })
}

// wants says whether users want an object, by its place in the order of creation, 0 if they do not.
func (u *Users) wants(object trace.Object, content map[string]any) (order int, reason Reason) {
	uid := text(content, "metadata", "uid")
	references := owners(content)
	switch {
	case object.Resource == "events" || object.Resource == "events.events.k8s.io" || u.isOwned(content):
		return 0, ""
	case text(content, "metadata", "deletionTimestamp") != "":
		return 0, Terminating
	case u.system[uid] && u.touched[uid]:
		return 0, SystemChanged
	case !u.touched[uid] && !u.owned[uid] && !u.claims[uid]:
		return 0, ""
	case len(references) > 0 && u.claims[uid]:
		return 0, ""
	case len(references) > 0:
		return 0, OwnersByUID
	}
	return max(u.created[uid], 1), ""
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
	var value any = content
	for _, name := range path {
		of, _ := value.(map[string]any)
		value = of[name]
	}
	return value
}

// text is a field of an object that is a text, empty if there is none.
func text(content map[string]any, path ...string) string {
	value, _ := at(content, path...).(string)
	return value
}
