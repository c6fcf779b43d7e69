package outline

import (
	"errors"
	"strings"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// Facts are what a version of a Pod, of a workload with a Pod template, or of a Node says of itself.
type Facts struct {
	// Owner is the uid of its controller.
	Owner string
	// Node, Phase, Ready, Terminating and Revision, which is the label controller-revision-hash, are those of a Pod.
	Node, Phase, Revision string
	Ready, Terminating    bool
	// MinReady is spec.minReadySeconds of a workload.
	MinReady int64
}

// HasFacts reports whether objects of a resource have Facts: Pods, workloads with a Pod template, and Nodes.
func HasFacts(resource string) bool {
	k := kinds.BuiltIn().Named(resource)
	return k != nil && (k.OwnsPods() || resource == pods || resource == "nodes")
}

const pods = "pods"

// FactsOf are the facts of an object of a resource.
func FactsOf(resource string, object map[string]any) Facts {
	f := Facts{Owner: ControllerOf(object)}
	if resource != pods {
		f.MinReady, _ = at(object, "spec", "minReadySeconds").(int64)
		return f
	}
	f.Node, _ = at(object, "spec", "nodeName").(string)
	f.Phase, _ = at(object, "status", "phase").(string)
	f.Revision, _ = at(object, "metadata", "labels", "controller-revision-hash").(string)
	deleted, _ := at(object, "metadata", "deletionTimestamp").(string)
	f.Terminating = deleted != ""
	conditions, _ := at(object, "status", "conditions").([]any)
	for _, c := range conditions {
		if condition, ok := c.(map[string]any); ok && condition["type"] == "Ready" {
			f.Ready = condition["status"] == "True"
			break
		}
	}
	return f
}

// ControllerOf is the uid of the owner that controls an object.
func ControllerOf(object map[string]any) string {
	owners, _ := at(object, "metadata", "ownerReferences").([]any)
	for _, o := range owners {
		if owner, ok := o.(map[string]any); ok && owner["controller"] == true {
			uid, _ := owner["uid"].(string)
			return uid
		}
	}
	return ""
}

// at is the value at a path, or nil.
func at(object map[string]any, path ...string) any {
	var value any = object
	for _, name := range path {
		inner, _ := value.(map[string]any)
		value = inner[name]
	}
	return value
}

// factPaths are the fields from which facts are made.
var factPaths = [][]string{
	{"metadata", "ownerReferences"}, {"metadata", "labels"}, {"metadata", "deletionTimestamp"},
	{"spec", "nodeName"}, {"spec", "minReadySeconds"}, {"status", "phase"}, {"status", "conditions"},
}

// isFact reports whether a change can change facts: it is one of a field, of a part of it, or of an object that has it.
func isFact(path string) bool {
	for _, p := range factPaths {
		rest, inside := strings.CutPrefix(path, p[0])
		if inside && rest == "" {
			return true
		}
		rest, inside = strings.CutPrefix(rest, "."+p[1])
		if inside && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// parts are the parts of the newest versions of objects that facts are made from.
type parts map[trace.Object]map[string]any

var errUpdate = errors.New("an update of an object that no record created")

// write applies a write, and returns the facts of the new version.
func (p parts) write(w *trace.Write) (Facts, error) {
	switch w.Op {
	case trace.OpDelete:
		delete(p, w.Object)
		return Facts{}, nil
	case trace.OpCreate:
		whole, err := diff.Decode(w.New)
		if err != nil {
			return Facts{}, err
		}
		object, _ := whole.(map[string]any)
		p[w.Object] = part(object)
		return FactsOf(w.Resource, p[w.Object]), nil
	}
	object := p[w.Object]
	if object == nil {
		return Facts{}, errUpdate
	}
	var changes []diff.Change
	for i := range w.Changes {
		if isFact(w.Changes[i].Path) {
			changes = append(changes, w.Changes[i])
		}
	}
	if len(changes) > 0 {
		changed, err := diff.Apply(object, changes)
		if err != nil {
			return Facts{}, err
		}
		object, _ = changed.(map[string]any)
		p[w.Object] = object
	}
	return FactsOf(w.Resource, object), nil
}

// part is the part of an object that facts are made from.
func part(object map[string]any) map[string]any {
	out := map[string]any{}
	for _, path := range factPaths {
		if value := at(object, path...); value != nil {
			of, _ := out[path[0]].(map[string]any)
			if of == nil {
				of = map[string]any{}
				out[path[0]] = of
			}
			of[path[1]] = value
		}
	}
	return out
}
