package stage

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/attempt"
)

// Attempt is an attempt of kube-scheduler to find a node for a Pod, as a table: a row for each node, and a column for each plugin whose
// scores differ.
type Attempt struct {
	// Pod is the Pod, and Plugins are the columns. Same is the sum of all scores that the nodes have in common, 0 if there is none.
	Pod     string   `json:"pod"`
	Plugins []string `json:"plugins,omitempty"`
	Same    int64    `json:"same,omitempty"`
	// Rows are the nodes: first the one that the Pod gets, then by score, then those that were rejected. More is how many are left out.
	Rows []Verdict `json:"rows"`
	More int       `json:"more,omitempty"`
}

// Verdict is what kube-scheduler thinks of a node.
type Verdict struct {
	Node string `json:"node"`
	// Scores are those of the plugins, with their weights, and Total is the sum of all scores.
	Scores []int64 `json:"scores,omitempty"`
	Total  int64   `json:"total,omitempty"`
	// Rejected is the plugin that filtered the node, empty for a node that could run the Pod, and Reason is why.
	Rejected string `json:"rejected,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Chosen says that the Pod gets the node, and Nominated that Pods are deleted there to make room for it.
	Chosen    bool `json:"chosen,omitempty"`
	Nominated bool `json:"nominated,omitempty"`
}

// mostRows is how many nodes an attempt shows, and mostPlugins how many columns.
const mostRows, mostPlugins = 8, 4

// attempt is that of the sync that the record belongs to; nil for none, or if what it decides answers a question.
func (c *Cast) attempt(b *scene.Beat) *Attempt {
	start := b.Rec.SyncOf(b.Seq)
	if start == 0 || b.Conceals(start) {
		return nil
	}
	if name, _ := trace.SplitActor(b.Rec.Actor(start)); name != trace.SchedulerActor {
		return nil
	}
	end := b.Rec.Record(b.Rec.SyncEnd(start))
	if end == nil || end.Sync == nil || end.Sync.Attempt == nil || end.Sync.Attempt.Skipped {
		return nil
	}
	return tableOf(c.key(end.Sync.Key), end.Sync.Attempt)
}

// tableOf is an attempt as a table.
func tableOf(pod string, a *attempt.Attempt) *Attempt {
	t := &Attempt{Pod: pod}
	t.columns(a.Scores)
	for _, score := range a.Scores {
		row := Verdict{Node: score.Node, Total: score.Total, Chosen: score.Node == a.Node}
		for _, plugin := range t.Plugins {
			row.Scores = append(row.Scores, score.Plugins[plugin])
		}
		t.Rows = append(t.Rows, row)
	}
	for _, rejection := range a.Rejections {
		for _, node := range rejection.Nodes {
			if i := slices.IndexFunc(t.Rows, func(v Verdict) bool { return v.Node == node }); i < 0 {
				reason := strings.Join(strings.Fields(rejection.Reason), " ")
				t.Rows = append(t.Rows, Verdict{Node: node, Rejected: rejection.Plugin, Reason: reason, Nominated: node == a.Nominated})
			}
		}
	}
	if a.Node != "" && !slices.ContainsFunc(t.Rows, func(v Verdict) bool { return v.Node == a.Node }) {
		// With one node left, nothing is scored.
		t.Rows = append(t.Rows, Verdict{Node: a.Node, Chosen: true})
	}
	slices.SortStableFunc(t.Rows, func(x, y Verdict) int {
		return cmp.Or(cmp.Compare(rankOf(&x), rankOf(&y)), cmp.Compare(y.Total, x.Total))
	})
	t.More = max(a.Nodes-min(len(t.Rows), mostRows), 0)
	t.Rows = t.Rows[:min(len(t.Rows), mostRows)]
	return t
}

func rankOf(v *Verdict) int {
	switch {
	case v.Chosen:
		return 0
	case v.Rejected == "":
		return 1
	case v.Nominated:
		return 2
	}
	return 3
}

// columns are the plugins whose scores differ, those with the widest range first. Scores that all nodes have decide nothing.
func (t *Attempt) columns(scores []attempt.NodeScore) {
	all := map[string]bool{}
	for _, score := range scores {
		for plugin := range score.Plugins {
			all[plugin] = true
		}
	}
	ranges := map[string]int64{}
	for _, plugin := range slices.Sorted(maps.Keys(all)) {
		least, most := scores[0].Plugins[plugin], scores[0].Plugins[plugin]
		for _, score := range scores[1:] {
			least, most = min(least, score.Plugins[plugin]), max(most, score.Plugins[plugin])
		}
		if least == most && len(scores) > 1 {
			t.Same += least
			continue
		}
		ranges[plugin] = most - least
		t.Plugins = append(t.Plugins, plugin)
	}
	slices.SortStableFunc(t.Plugins, func(x, y string) int { return cmp.Compare(ranges[y], ranges[x]) })
	t.Plugins = t.Plugins[:min(len(t.Plugins), mostPlugins)]
}
