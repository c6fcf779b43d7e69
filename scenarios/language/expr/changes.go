package expr

import (
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/language/expr/internal/changes"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// TraceChange is a field that a request changed, as conditions see it.
type TraceChange struct {
	At        time.Duration  `json:"at" doc:"When the server executed the request, since the start."`
	Actor     string         `json:"actor" doc:"Who sent it."`
	Verb      string         `json:"verb" doc:"update, patch or delete."`
	Resource  string         `json:"resource" doc:"Plural name, such as replicasets."`
	Namespace string         `json:"namespace" doc:"Empty for cluster-scoped resources."`
	Name      string         `json:"name" doc:"Name of the object."`
	Path      string         `json:"path" doc:"The field, such as spec.replicas or status.conditions[type=Available].status."`
	Old       *changes.Value `json:"old" doc:"Its value before; unset if the field was absent. An absent number, text or bool reads as in an object: 0, '' or false."`
	New       *changes.Value `json:"new" doc:"Its value after; unset if the field is absent then."`
}

// changesOf has the record of a request that changed fields, or none. The list of changes is made when a condition reads it:
// most conditions that read requests do not.
type changesOf []*trace.Record

// objectOf is the object that a request created, as it is in the record.
type objectOf struct{ raw []byte }

// changeSynonyms are the fields that other tools call otherwise.
var changeSynonyms = map[string]string{
	"after": "new", "value": "new", "before": "old", "from": "old", "to": "new", "field": "path",
}

// traceChangeType is the CEL type of TraceChange.
var traceChangeType = types.NewObjectType("TraceChange")

// list makes the list.
func (c changesOf) list(s *typeTable) ref.Val {
	var items []ref.Val
	for _, r := range c {
		for _, change := range s.changesIn(r, nil) {
			items = append(items, s.NativeToValue(change))
		}
	}
	return types.NewRefValList(s, items)
}

// newChanges is the list of changes of a request, not yet made.
func newChanges(r *trace.Record) changesOf {
	if changes.HasAny(r) {
		return changesOf{r}
	}
	return nil
}

// newObject is the object that a request created.
func newObject(r *trace.Record) *objectOf {
	if raw := changes.Created(r); raw != nil {
		return &objectOf{raw}
	}
	return nil
}

// changesIn lists the changes of a request, in one field and what is in it if there is a path.
func (s *typeTable) changesIn(r *trace.Record, path []diff.Step) (list []*TraceChange) {
	resource, _, _ := strings.Cut(r.Request.Resource, ".")
	for _, c := range changes.In(r, s.kinds.Of(schema.ParseGroupResource(r.Request.Resource)), path) {
		list = append(list, &TraceChange{
			At: r.At, Actor: r.Actor, Verb: r.Request.Verb, Resource: resource, Namespace: c.Object.Namespace, Name: c.Object.Name,
			Path: c.Path, Old: c.Old, New: c.New,
		})
	}
	return list
}

// readChanges is the function changes(actor, resource, path).
func (s *typeTable) readChanges(args []ref.Val) (reading, error) {
	if len(args) < 3 {
		args = append([]ref.Val{types.String("")}, args...)
	}
	key := cursorKey{"changes", text(args, 0), text(args, 1), text(args, 2)}
	actor := key[1]
	kind, err := s.lookupKind(key[2])
	if err != nil {
		return nil, err
	}
	path, err := changes.Path(kind, key[3])
	if err != nil {
		return nil, err
	}
	resource := kind.GroupResource().String()
	return follow(key, func(r *trace.Record) (items []any) {
		if r.Request == nil || r.Request.Resource != resource || actor != "" && r.Actor != actor {
			return nil
		}
		for _, change := range s.changesIn(r, path) {
			items = append(items, change)
		}
		return items
	}), nil
}
