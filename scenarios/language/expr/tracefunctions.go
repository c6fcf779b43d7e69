package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/kubestep/kubestep/sim/trace"
)

// verbs are those of the API, as traces and RBAC name them.
var verbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}

// traceFunctions read what happened. In every place of an argument, ” matches everything.
func traceFunctions(s *typeTable) []*function {
	return []*function{
		{
			Function: Function{
				Name: "requests", Section: sectionTrace,
				Signature: signatures("requests()", "requests(actor)", "requests(actor, verb)", "requests(actor, verb, resource)"),
				Doc: "The API requests so far, as TraceRequest. As in RBAC, 'pods' does not include 'pods/status'. An " +
					"empty text matches everything.",
				Example: "size(requests('deployment-controller', 'create', 'replicasets')) == 1",
			},
			lists: true, overloads: readsTexts(0, 3, cel.ListType(s.structTypeOf(TraceRequest{}).celType), s.readRequests),
		},
		{
			Function: Function{
				Name: "changes", Section: sectionTrace,
				Signature: signatures("changes(resource, path)", "changes(actor, resource, path)"),
				Doc: "The changes of a field by requests so far, as TraceChange: of the field at the path, and of everything in it. " +
					"A creation is not a change: see requests().object. An empty actor matches everything.",
				Example: "changes('replicasets', 'spec.replicas').all(c, c.new <= 4)",
			},
			lists: true, overloads: readsTexts(2, 3, cel.ListType(traceChangeType), s.readChanges),
		},
		{
			Function: Function{
				Name: "events", Section: sectionTrace,
				Signature: signatures("events()", "events(reason)", "events(reason, object)"),
				Doc:       "The Kubernetes Events so far, as TraceEvent; the object is named as in get().",
				Example:   "size(events('ScalingReplicaSet', 'deployment/web')) == 2 && !events().exists(e, e.type == 'Warning')",
			},
			lists: true, overloads: readsTexts(0, 2, cel.ListType(s.structTypeOf(TraceEvent{}).celType), s.readEvents),
		},
		{
			Function: Function{
				Name: "syncs", Section: sectionTrace,
				Signature: signatures("syncs()", "syncs(controller)", "syncs(controller, key)"),
				Doc:       "The finished syncs so far, as TraceSync.",
				Example:   "syncs('deployment-controller', 'default/web').all(s, s.error == '' && s.writes <= 1)",
			},
			lists: true, overloads: readsTexts(0, 2, cel.ListType(s.structTypeOf(TraceSync{}).celType), readSyncs),
		},
	}
}

// follow returns a reading that keeps what it found: the next evaluation looks at new records only.
func follow(key cursorKey, pick func(*trace.Record) []any) reading {
	return func(e *evaluation) ref.Val {
		items, err := e.cursors.read(key, e, pick)
		if err != nil {
			return types.WrapErr(err)
		}
		return types.NewRefValList(e.types, items)
	}
}

func (s *typeTable) readRequests(args []ref.Val) (reading, error) {
	key := cursorKey{"requests", text(args, 0), text(args, 1), text(args, 2)}
	actor, verb, resource := key[1], key[2], key[3]
	if verb != "" && !slices.Contains(verbs, verb) {
		return nil, fmt.Errorf("unknown verb %s%s", quote(verb), didYouMean(verb, verbs))
	}
	resource, subresource, _ := strings.Cut(resource, "/")
	if resource != "" {
		k, err := s.lookupKind(resource)
		if err != nil {
			return nil, err
		}
		resource = k.Resource
	}
	return follow(key, func(r *trace.Record) []any {
		if r.Request == nil || actor != "" && r.Actor != actor || verb != "" && r.Request.Verb != verb {
			return nil
		}
		request := newTraceRequest(r)
		if resource != "" && (request.Resource != resource || request.Subresource != subresource) {
			return nil
		}
		return []any{request}
	}), nil
}

func (s *typeTable) readEvents(args []ref.Val) (reading, error) {
	key := cursorKey{"events", text(args, 0), text(args, 1)}
	reason, object := key[1], key[2]
	if object != "" {
		r, err := s.parseObjectRef(object)
		if err != nil {
			return nil, err
		}
		object = r.text()
	}
	return follow(key, func(r *trace.Record) []any {
		if r.Event == nil || reason != "" && r.Event.Reason != reason {
			return nil
		}
		event := newTraceEvent(s, r)
		if object != "" && event.Regarding != object {
			return nil
		}
		return []any{event}
	}), nil
}

func readSyncs(args []ref.Val) (reading, error) {
	key := cursorKey{"syncs", text(args, 0), text(args, 1)}
	controller, object := key[1], key[2]
	return follow(key, func(r *trace.Record) []any {
		if r.Sync == nil || r.Sync.Phase != trace.PhaseEnd || controller != "" && r.Actor != controller ||
			object != "" && r.Sync.Key != object {
			return nil
		}
		return []any{newTraceSync(r)}
	}), nil
}
