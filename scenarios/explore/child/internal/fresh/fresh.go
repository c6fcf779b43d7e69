// Package fresh makes of the end of a run a scenario that only creates what users want then, in an empty cluster. History does not matter
// to controllers: the end of that scenario is the end of the run, but for what rightly remains of the past (compare.HistoryExceptions).
package fresh

import (
	"bytes"
	"iter"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Objects are what a run left in the store.
type Objects = iter.Seq2[trace.Object, map[string]any]

// Reason is why a run has no such scenario; empty means that it has one.
type Reason string

// The reasons.
const (
	FromObjects       Reason = "the scenario starts with objects that have a past"
	Terminating       Reason = "an object is being deleted"
	Adopted           Reason = "a controller has adopted an object that it did not create"
	ClaimLost         Reason = "a claim has lost its volume"
	QuotaExceeded     Reason = "more is used than a quota allows"
	NodeNotReady      Reason = "a node is not Ready at the end"
	NodeGone          Reason = "a node was removed"
	StatusWritten     Reason = "a user wrote the status of an object"
	OwnersByUID       Reason = "a user's object names an owner by its uid"
	SystemChanged     Reason = "a user changed an object that every cluster has"
	NoRoom            Reason = "a Pod has no node, and which ones have depends on the order in which they came"
	NotCollected      Reason = "the owner of an object is gone, and garbage-collector-controller does not run"
	ControllerStopped Reason = "a controller does not run any more"
	OutsideStore      Reason = "a step changed what no object says, such as how a Pod behaves"
)

// Scenario is the text of the scenario for a run, of which users are what they wrote.
func (u *Users) Scenario(s *format.Scenario, objects Objects) (text []byte, reason Reason, err error) {
	if reason := u.asked(s); reason != "" {
		return nil, reason, nil
	}
	first, rest, nodes, reason := u.wanted(s.Kinds(), objects)
	if reason != "" {
		return nil, reason, nil
	}
	fresh := *s
	fresh.Spec.Faults, fresh.Spec.Checks, fresh.Spec.Futures, fresh.Spec.Steps = nil, nil, nil, nil
	fresh.Spec.Invariants = format.Invariants{}
	fresh.Spec.Cluster.Load = lastLoad(s)
	for _, node := range nodes {
		fresh.Spec.Steps = append(fresh.Spec.Steps, format.Step{Verb: node})
	}
	if err := addCreate(&fresh, first, nil); err != nil {
		return nil, "", err
	}
	var pause *notation.Duration
	if len(first) > 0 {
		pause = &notation.Duration{Duration: settle}
	}
	if err := addCreate(&fresh, rest, pause); err != nil {
		return nil, "", err
	}
	text, err = fresh.Encode()
	return text, "", err
}

// settle is how long the objects of the first step get to take effect: definitions are established, Namespaces have their ServiceAccounts,
// quotas their usage.
const settle = 10 * time.Second

// addCreate adds a step that creates objects.
func addCreate(s *format.Scenario, objects []wantedObject, after *notation.Duration) error {
	if len(objects) == 0 {
		return nil
	}
	var text bytes.Buffer
	for _, object := range objects {
		data, err := yaml.Marshal(object.content)
		if err != nil {
			return err
		}
		if text.Len() > 0 {
			text.WriteString("---\n")
		}
		text.Write(data)
	}
	create := verb.Create(text.String())
	s.Spec.Steps = append(s.Spec.Steps, format.Step{After: after, Verb: &create})
	return nil
}

// asked is why a scenario cannot be asked for its final specs.
func (u *Users) asked(s *format.Scenario) Reason {
	switch {
	case s.Spec.Cluster.Objects != "":
		return FromObjects
	case u.namedOwners:
		return OwnersByUID
	case u.wroteStatus:
		return StatusWritten
	}
	stopped := map[string]bool{}
	for _, step := range s.Spec.Steps {
		switch v := step.Verb.(type) {
		case *verb.Pod, *verb.Image, *verb.StaticPod, *verb.Exec:
			return OutsideStore
		case *verb.Node:
			if v.Devices+v.Skew != "" {
				return OutsideStore
			}
		case *verb.Controller:
			stopped[v.Crash+v.Pause] = v.After == nil
			delete(stopped, v.Resume+v.Restart)
		}
	}
	delete(stopped, "")
	for _, stops := range stopped {
		if stops {
			return ControllerStopped
		}
	}
	return ""
}

// lastLoad is the load with which a run ends.
func lastLoad(s *format.Scenario) (loads []format.PodLoad) {
	for _, load := range s.Spec.Cluster.Load {
		last := load.Levels[len(load.Levels)-1]
		for _, step := range s.Spec.Steps {
			if change, ok := step.Verb.(*verb.Load); ok && change.Name == load.Name {
				last.Total, last.PerPod = change.Total, change.PerPod
			}
		}
		last.At = nil
		load.Levels = []format.LoadLevel{last}
		loads = append(loads, load)
	}
	return loads
}

// wantedObject is an object that users want, without what others added.
type wantedObject struct {
	content map[string]any
	// rank is the place of its kind in early, -1 for others, and order that in the order of creation.
	rank, order int
}

// early are the kinds that others need: they are created first.
var early = []string{
	"namespaces", "customresourcedefinitions.apiextensions.k8s.io", "priorityclasses.scheduling.k8s.io", "storageclasses.storage.k8s.io",
	"runtimeclasses.node.k8s.io", "deviceclasses.resource.k8s.io", "resourcequotas", "limitranges",
}

// wanted are the objects that users want at the end, first those that others need, and the changes of nodes.
func (u *Users) wanted(table *kinds.Table, objects Objects) (first, rest []wantedObject, nodes []format.Verb, reason Reason) {
	left := map[string]bool{}
	for object, content := range objects {
		if object.Resource == "nodes" {
			left[object.Name] = true
			if !isReady(content) {
				return nil, nil, nil, NodeNotReady
			}
			if patch := u.nodePatch(object, content); patch != nil {
				nodes = append(nodes, patch)
			}
			continue
		}
		order, reason := u.wants(object, content)
		if reason != "" {
			return nil, nil, nil, reason
		}
		kind := table.Of(schema.ParseGroupResource(object.Resource))
		if order == 0 || kind == nil {
			continue
		}
		content["apiVersion"], content["kind"] = kind.GroupVersion().String(), kind.Kind
		w := wantedObject{u.strip(object, content), slices.Index(early, object.Resource), order}
		if w.rank >= 0 {
			first = append(first, w)
		} else {
			rest = append(rest, w)
		}
	}
	for name := range u.nodes {
		if !left[name] {
			return nil, nil, nil, NodeGone
		}
	}
	slices.SortStableFunc(first, func(a, b wantedObject) int { return a.rank - b.rank })
	slices.SortStableFunc(rest, func(a, b wantedObject) int { return a.order - b.order })
	return first, rest, nodes, ""
}
