package compare

import (
	"cmp"
	"encoding/json"
	"strings"

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

// remember counts the creations and deletions of a request. Events and leases tell of others only.
func (s *Side) remember(request *trace.Request) {
	for i := range request.Writes {
		w := &request.Writes[i]
		if w.Op == trace.OpUpdate || untold[w.Resource] || passing[w.Resource] {
			continue
		}
		if w.Op == trace.OpCreate {
			s.owners[w.Object] = s.ownerOf(w.New)
		}
		s.history[history{w.Op, w.Resource, w.Namespace, s.owners[w.Object]}]++
	}
}

// ownerOf names the controller of a new object.
func (s *Side) ownerOf(object json.RawMessage) string {
	var owned struct {
		Metadata struct {
			OwnerReferences []struct {
				Kind       string `json:"kind"`
				Name       string `json:"name"`
				Controller bool   `json:"controller"`
			} `json:"ownerReferences"`
		} `json:"metadata"`
	}
	if json.Unmarshal(object, &owned) != nil {
		return ""
	}
	for _, ref := range owned.Metadata.OwnerReferences {
		if ref.Controller {
			return strings.ToLower(ref.Kind) + "/" + s.finder.names.name(ref.Name)
		}
	}
	return ""
}

func compareHistory(a, b *Side) []HistoryPair {
	var pairs []HistoryPair
	for _, what := range keys(a.history, b.history, compareWhat) {
		if a.history[what] != b.history[what] {
			pairs = append(pairs, HistoryPair{what, a.history[what], b.history[what]})
		}
	}
	return pairs
}

func compareWhat(x, y history) int {
	return cmp.Or(cmp.Compare(x.Resource, y.Resource), cmp.Compare(x.Namespace, y.Namespace),
		cmp.Compare(x.Owner, y.Owner), cmp.Compare(x.Op, y.Op))
}
