package compare

import (
	"cmp"
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// HistoryPair is how often objects of one kind and owner were created or deleted, where that differs.
type HistoryPair struct {
	history
	A int `json:"a"`
	B int `json:"b"`
}

// history is what is counted.
type history struct {
	Op        trace.Op `json:"op"`
	Resource  string   `json:"resource"`
	Namespace string   `json:"namespace,omitempty"`
	// Owner is the controller of the objects, such as replicaset/web-5d9f; empty for those that have none.
	Owner string `json:"owner,omitempty"`
}

// History counts the creations and deletions of a run.
type History struct {
	names  names
	counts map[history]int
	owners map[trace.Object]string
}

// History returns the history of the run whose records these decisions are from; Add must see each record before it.
func (d *Decisions) History() *History {
	return &History{names: d.names, counts: map[history]int{}, owners: map[trace.Object]string{}}
}

// Add counts the creations and deletions of a request. Events and leases tell of others only.
func (h *History) Add(record *trace.Record) {
	if record.Request == nil || record.Background {
		return
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if w.Op == trace.OpUpdate || untold[w.Resource] || passing[w.Resource] {
			continue
		}
		if w.Op == trace.OpCreate {
			h.owners[w.Object] = h.ownerOf(w.New)
		}
		h.counts[history{w.Op, w.Resource, w.Namespace, h.owners[w.Object]}]++
	}
}

// ownerOf names the controller of a new object.
func (h *History) ownerOf(object json.RawMessage) string {
	var owned metav1.PartialObjectMetadata
	if json.Unmarshal(object, &owned) != nil {
		return ""
	}
	if ref := metav1.GetControllerOf(&owned); ref != nil {
		return strings.ToLower(ref.Kind) + "/" + h.names.name(ref.Name)
	}
	return ""
}

// Compare compares two histories.
func (h *History) Compare(other *History) []HistoryPair {
	var pairs []HistoryPair
	for _, what := range keys(h.counts, other.counts, compareWhat) {
		if h.counts[what] != other.counts[what] {
			pairs = append(pairs, HistoryPair{what, h.counts[what], other.counts[what]})
		}
	}
	return pairs
}

func compareWhat(x, y history) int {
	return cmp.Or(cmp.Compare(x.Resource, y.Resource), cmp.Compare(x.Namespace, y.Namespace),
		cmp.Compare(x.Owner, y.Owner), cmp.Compare(x.Op, y.Op))
}
