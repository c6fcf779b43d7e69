package upgrade

import (
	"encoding/json"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Pods is what happened to the Pods of a workload that existed at the upgrade.
type Pods struct {
	// Existed is how many there were, Deleted how many of them were deleted, and Restarted how often their containers were.
	Existed   int `json:"existed"`
	Deleted   int `json:"deleted"`
	Restarted int `json:"restarted"`
	// Created are new ones.
	Created int `json:"created"`
	// First and Last are the times of the first and the last of these, counted from the upgrade.
	First time.Duration `json:"first"`
	Last  time.Duration `json:"last"`
}

// rolls reports whether anything happened to them.
func (p Pods) rolls() bool { return p.Deleted > 0 || p.Restarted > 0 || p.Created > 0 }

// Change is a write of a controller that is no status: what it wants.
type Change struct {
	At     time.Duration `json:"at"`
	Actor  string        `json:"actor"`
	Object string        `json:"object"`
	Text   string        `json:"text"`
}

// Cost counts what an actor did.
type Cost struct {
	Syncs     int `json:"syncs"`
	Failed    int `json:"failedSyncs"`
	Writes    int `json:"writes"`
	Status    int `json:"statusWrites"`
	Conflicts int `json:"conflicts"`
}

// half is what a version did with the state.
type half struct {
	pods    map[trace.Object]*Pods
	changes []Change
	costs   map[string]*Cost

	// owners are the controllers of objects, by uid, and restored the uids of the Pods that existed.
	owners   map[string]trace.Object
	parents  map[string]string
	restored map[string]bool
	finder   *compare.Decisions
}

// observe reads the run of a version.
func observe(rec *recording.Recording) *half {
	h := &half{
		pods: map[trace.Object]*Pods{}, costs: map[string]*Cost{}, owners: map[string]trace.Object{},
		parents: map[string]string{}, restored: map[string]bool{}, finder: compare.NewDecisions(),
	}
	// A Pod may have been written before its owner.
	for record := range rec.Of(trace.KindRequest) {
		for i := range record.Request.Writes {
			if w := &record.Request.Writes[i]; w.Op == trace.OpCreate {
				h.owners[w.UID], h.parents[w.UID] = w.Object, controllerOf(w.New)
			}
		}
	}
	for record := range rec.All() {
		h.add(record)
	}
	return h
}

func (h *half) add(record *trace.Record) {
	decision, decided := h.finder.Add(record)
	switch r := record.Request; {
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		h.cost(record.Actor).Syncs++
	case record.Sync != nil && record.Sync.Error != "":
		h.cost(record.Actor).Failed++
	case r != nil:
		for i := range r.Writes {
			h.write(record, &r.Writes[i])
		}
		if record.Background {
			return
		}
		if r.Reason == "Conflict" {
			h.cost(record.Actor).Conflicts++
		}
	}
	if decided {
		text, _, _ := strings.Cut(decision.Text, "\n")
		object := trace.ObjectName(record.Request.Writes[0].Object)
		h.changes = append(h.changes, Change{decision.At, decision.Actor, object, text})
	}
}

// write follows one write.
func (h *half) write(record *trace.Record, w *trace.Write) {
	existed := record.Request.Verb == "restore"
	if !record.Background {
		cost := h.cost(record.Actor)
		cost.Writes++
		if record.Request.Subresource == "status" {
			cost.Status++
		}
	}
	if w.Resource != "pods" {
		return
	}
	of := h.pods[h.workload(w.UID)]
	if of == nil {
		of = &Pods{}
		h.pods[h.workload(w.UID)] = of
	}
	switch {
	case existed:
		h.restored[w.UID] = true
		of.Existed++
		return
	case w.Op == trace.OpCreate:
		of.Created++
	case w.Op == trace.OpDelete && h.restored[w.UID]:
		of.Deleted++
	case h.restored[w.UID] && restarts(w):
		of.Restarted++
	default:
		return
	}
	if of.Deleted+of.Restarted+of.Created == 1 {
		of.First = record.At
	}
	of.Last = record.At
}

// workload is the object at the top of the chain of controllers above an object; the object itself if it has none.
func (h *half) workload(uid string) trace.Object {
	for h.parents[uid] != "" && h.owners[h.parents[uid]].Name != "" {
		uid = h.parents[uid]
	}
	return h.owners[uid]
}

func (h *half) cost(actor string) *Cost {
	c := h.costs[actor]
	if c == nil {
		c = &Cost{}
		h.costs[actor] = c
	}
	return c
}

// restarts reports whether a write counts a restart of a container.
func restarts(w *trace.Write) bool {
	for _, change := range w.Changes {
		if strings.HasSuffix(change.Path, ".restartCount") {
			return true
		}
	}
	return false
}

// controllerOf is the uid of the controller of a new object.
func controllerOf(object json.RawMessage) string {
	var owned metav1.PartialObjectMetadata
	if json.Unmarshal(object, &owned) != nil {
		return ""
	}
	if ref := metav1.GetControllerOf(&owned); ref != nil {
		return string(ref.UID)
	}
	return ""
}
