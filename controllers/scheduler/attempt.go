package scheduler

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/kubestep/kubestep/sim/observe/syncs"
	"github.com/kubestep/kubestep/sim/trace/attempt"
)

// A record has the scores of this many nodes, and the names of this many nodes for each reason to reject them.
const (
	scoredMax   = 10
	rejectedMax = 20
)

// trial is an attempt for a Pod that is under way.
type trial struct {
	uid  types.UID
	sync *syncs.Sync

	mu     sync.Mutex
	record attempt.Attempt
	// tried means that the attempt got to a result, so that it was not skipped.
	tried bool
	// verdicts are why plugins rejected nodes, by the name of the node; "" is all nodes, before any was looked at.
	verdicts map[string]*fwk.Status
}

func newTrial(pod *framework.QueuedPodInfo, sync *syncs.Sync) *trial {
	a := &trial{uid: pod.Pod.UID, sync: sync, record: attempt.Attempt{Number: pod.Attempts}, verdicts: map[string]*fwk.Status{}}
	if name := pod.Pod.Spec.SchedulerName; name != corev1.DefaultSchedulerName {
		a.record.Profile = name
	}
	return a
}

func (a *trial) isDecided() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tried
}

// reject notes why a plugin rejected a node. A node is looked at twice if the Pod is nominated for it: the last verdict counts.
func (a *trial) reject(node string, status *fwk.Status) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.verdicts[node] = status
}

// score notes the scores of the nodes that are left.
func (a *trial) score(nodes []nodePluginScores) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, node := range nodes {
		score := attempt.NodeScore{Node: node.Name, Total: node.TotalScore, Plugins: map[string]int64{}}
		for _, plugin := range node.Scores {
			if plugin.Score != 0 {
				score.Plugins[plugin.Name] = plugin.Score
			}
		}
		a.record.Scores = append(a.record.Scores, score)
	}
}

// finished completes the record.
func (a *trial) finished() *attempt.Attempt {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.record
	slices.SortFunc(out.Scores, func(x, y attempt.NodeScore) int {
		return cmp.Or(cmp.Compare(y.Total, x.Total), -chosenFirst(out.Node, x.Node, y.Node), cmp.Compare(x.Node, y.Node))
	})
	out.Scores = slices.Clip(out.Scores[:min(len(out.Scores), scoredMax)])
	out.Rejections = rejections(a.verdicts)
	if out.Feasible == 0 {
		out.Evaluated = len(a.verdicts)
		if a.verdicts[""] != nil {
			out.Evaluated--
		}
	}
	return &out
}

// chosenFirst is 1 if a is the chosen node, and -1 if b is.
func chosenFirst(chosen, a, b string) int {
	switch chosen {
	case a:
		return 1
	case b:
		return -1
	}
	return 0
}

// rejections groups verdicts by plugin and reason.
func rejections(verdicts map[string]*fwk.Status) []attempt.Rejection {
	var out []attempt.Rejection
	type why struct {
		plugin, reason string
		final          bool
	}
	at := map[why]int{}
	for _, node := range slices.Sorted(maps.Keys(verdicts)) {
		status := verdicts[node]
		key := why{status.Plugin(), strings.Join(status.Reasons(), ", "), status.Code() == fwk.UnschedulableAndUnresolvable}
		i, known := at[key]
		if !known {
			i = len(out)
			at[key] = i
			out = append(out, attempt.Rejection{Plugin: key.plugin, Reason: key.reason, Final: key.final})
		}
		if node == "" {
			continue
		}
		if out[i].Count++; len(out[i].Nodes) < rejectedMax {
			out[i].Nodes = append(out[i].Nodes, node)
		}
	}
	slices.SortStableFunc(out, func(a, b attempt.Rejection) int { return cmp.Compare(b.Count, a.Count) })
	return out
}
