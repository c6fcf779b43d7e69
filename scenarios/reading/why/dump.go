package why

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// needs are the resources that the goals of an object depend on. A dump without them does not tell what the object lacks.
var needs = map[string][]string{
	"deployments.apps":            {"replicasets.apps", "pods"},
	"replicasets.apps":            {"pods"},
	"replicationcontrollers":      {"pods"},
	"statefulsets.apps":           {"pods"},
	"daemonsets.apps":             {"pods", "nodes", "controllerrevisions.apps"},
	"jobs.batch":                  {"pods"},
	"services":                    {"pods", "endpointslices.discovery.k8s.io"},
	"poddisruptionbudgets.policy": {"pods"},
	"pods":                        {"nodes"},
}

// FromDump returns the History of a dump. It has one record, which creates all objects: what was before is unknown.
func FromDump(dump *snapshot.Dump) (*History, error) {
	request := &trace.Request{Verb: "create", Code: 201}
	for n, o := range dump.Objects {
		text, err := json.Marshal(o.Object)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", o.GetKind(), o.GetName(), err)
		}
		rv, err := strconv.ParseUint(o.GetResourceVersion(), 10, 64)
		if err != nil {
			rv = uint64(n + 1)
		}
		request.Writes = append(request.Writes, trace.Write{
			Op: trace.OpCreate, UID: string(o.GetUID()), RV: rv, New: text,
			Object: trace.Object{
				Resource:  dump.Resource(o).String(),
				Namespace: o.GetNamespace(), Name: o.GetName(),
			},
		})
	}
	builder := recording.NewBuilder()
	record := &trace.Record{Seq: 1, Kind: trace.KindRequest, Date: dump.At, Actor: "kubectl", Request: request}
	if err := builder.Add(record); err != nil {
		return nil, err
	}
	h := New(builder.Done(recording.Origin{}, ""))
	h.dump = dump
	for _, goal := range liveness.Goals() {
		h.runs[goal.Controller] = true
	}
	return h, nil
}

// lacksKinds lists the resources without which a dump does not say what an object of a resource lacks.
func (h *History) lacksKinds(resource schema.GroupResource) (missing []string) {
	if h.dump == nil {
		return nil
	}
	for _, need := range needs[resource.String()] {
		if !h.dump.Has(schema.ParseGroupResource(need)) {
			missing = append(missing, need)
		}
	}
	return missing
}

// canAnswer reports whether a goal can be compared. A dump rarely has Endpoints, and does not need them beside EndpointSlices;
// nor does a scenario that leaves their controller out. A scenario that leaves out a controller does not ask for the relations that it
// would bring about either.
func (h *History) canAnswer(goal liveness.Goal) bool {
	switch {
	case goal.Relation != "" && goal.Controller != "" && !h.runs[goal.Controller]:
		return false
	case goal.Controller == names.EndpointsController && !h.runs[goal.Controller]:
		return false
	case h.dump == nil:
		return true
	case goal.Controller == names.EndpointsController && !h.dump.Has(schema.GroupResource{Resource: "endpoints"}):
		return false
	}
	return len(h.lacksKinds(goal.Resource)) == 0
}

// Certain are the answers for an object that a dump gives by the object alone, whatever kinds it lacks.
func (i *Instant) Certain(o trace.Object) []*Answer {
	var answers []*Answer
	for _, goal := range liveness.Goals() {
		if goal.Resource != schema.ParseGroupResource(o.Resource) {
			continue
		}
		if lack := liveness.LackOf(world{i}, goal, o); lack != nil && lack.Alone {
			answers = append(answers, i.answer(&liveness.Finding{Object: o, Controller: goal.Controller, Lack: *lack, Goal: goal}))
		}
	}
	return answers
}

// undecided are the answers for the objects of a namespace of which a dump does not tell whether they are in their desired state.
func (i *Instant) undecided(namespace string) []*Answer {
	var answers []*Answer
	if i.dump == nil {
		return nil
	}
	for _, o := range i.rec.ObjectsAt(i.seq) {
		if namespace != "" && o.Namespace != namespace {
			continue
		}
		missing := i.lacksKinds(schema.ParseGroupResource(o.Resource))
		if len(missing) == 0 || len(i.Certain(o)) > 0 {
			continue
		}
		for n, resource := range missing {
			missing[n] = schema.ParseGroupResource(resource).Resource
		}
		answers = append(answers, &Answer{
			Object: o, At: i.at, Verdict: Undecided, Note: "the dump has no " + strings.Join(missing, " and no "), undated: true,
		})
	}
	return answers
}

// Fetch is the command that fetches what a dump lacks to answer for a resource, or for all resources in it if that is empty;
// empty if it lacks nothing.
func (h *History) Fetch(resource schema.GroupResource) string {
	if h.dump == nil {
		return ""
	}
	var missing, has []string
	for _, o := range h.dump.Objects {
		of := h.dump.Resource(o)
		has = append(has, of.String())
		if resource.Empty() || of == resource {
			missing = append(missing, h.lacksKinds(of)...)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return snapshot.GetCommand(append(has, missing...))
}

// fetch is the command that fetches a resource besides those that a dump has.
func (h *History) fetch(resource string) string {
	all := append([]string{resource}, needs[resource]...)
	for _, o := range h.dump.Objects {
		all = append(all, h.dump.Resource(o).String())
	}
	return snapshot.GetCommand(all)
}

// judgeDump finds the verdict for an object in a dump, which does not tell what its controller knows and does.
func (i *Instant) judgeDump(a *Answer) {
	a.Verdict, a.Process, a.undated = Unknown, "", true
	if a.reason == "" {
		a.Holds = []string{"the dump does not show one: read the logs of " + a.Controller + ", or run the dump: " +
			"kubestep run " + i.dump.File}
		return
	}
	a.Verdict = Waiting
	i.waits(a)
}
