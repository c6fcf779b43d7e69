// Package scheduling explains an attempt of kube-scheduler: which plugins rejected which nodes, how the others were scored, and so why
// the Pod went to its node or to none. The attempt itself says what each plugin thought; nothing is computed again.
package scheduling

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace/attempt"
)

const (
	scheduleFile   = "pkg/scheduler/schedule_one.go"
	preemptionFile = "pkg/scheduler/framework/preemption/preemption.go"
)

// Pod explains an attempt to find a node for a Pod; nil while it has not ended.
func Pod(s observed.Sync) *arithmetic.Explanation {
	if s.End == nil || s.End.Sync.Attempt == nil {
		return nil
	}
	a := s.End.Sync.Attempt
	e := &arithmetic.Explanation{Start: s.Start.Seq, At: s.Start.At, Controller: s.Controller(), Key: s.Key(), Branch: "Pod"}
	if a.Skipped {
		e.Branch, e.Verdict = arithmetic.BranchGone, "nothing: the Pod is being deleted, or it has a node already"
		return e
	}
	room(e, s, a)
	filter(e, a)
	score(e, a)
	preempt(e, s, a)
	e.Verdict = verdict(a)
	e.Why = e.Verdict
	if interrupted := s.Interrupted(); interrupted != "" {
		e.Verdict += "; but " + interrupted
	}
	return e
}

// filter adds the nodes that plugins rejected.
func filter(e *arithmetic.Explanation, a *attempt.Attempt) {
	step := e.Step("filter the nodes", scheduleFile, "findNodesThatFitPod")
	if a.Hint != "" {
		step.Line("hint", "an equal Pod left this node over a moment ago", a.Hint)
	}
	for _, r := range a.Rejections {
		what := strings.Join(strings.Fields(r.Reason), " ")
		if r.Final {
			what += ", which deleting Pods would not change"
		}
		if r.Count == 0 {
			step.Line(r.Plugin, what, "rejects all nodes")
			continue
		}
		names := arithmetic.Few(r.Nodes)
		if r.Count > len(r.Nodes) {
			names = fmt.Sprintf("%s and %d more", strings.Join(r.Nodes[:1], ""), r.Count-1)
		}
		step.Line(r.Plugin, what+": "+names, fmt.Sprintf("rejects %d", r.Count))
	}
	step.Line("left", "", fmt.Sprintf("%d of %d", a.Feasible, a.Nodes))
}

// score adds the scores of the nodes that are left. A score that all of them have decides nothing, so it is told once.
func score(e *arithmetic.Explanation, a *attempt.Attempt) {
	if len(a.Scores) == 0 {
		return
	}
	step := e.Step("score those that are left", scheduleFile, "prioritizeNodes")
	same := map[string]int64{}
	for _, plugin := range slices.Sorted(maps.Keys(a.Scores[0].Plugins)) {
		value := a.Scores[0].Plugins[plugin]
		alike := !slices.ContainsFunc(a.Scores, func(n attempt.NodeScore) bool { return n.Plugins[plugin] != value })
		if alike && len(a.Scores) > 1 {
			same[plugin] = value
		}
	}
	if len(same) > 0 {
		step.Line("all of them", sum(same, nil), nil)
	}
	for _, node := range a.Scores {
		formula := sum(node.Plugins, same)
		if len(same) > 0 {
			formula = strings.TrimSuffix("the same + "+formula, " + ")
		}
		step.Line(node.Node, formula, node.Total)
	}
	if rest := a.Feasible - len(a.Scores); rest > 0 {
		step.Line("lower", fmt.Sprintf("%d more nodes", rest), nil)
	}
}

// sum is like "NodeResourcesFit 92 + PodTopologySpread 200", without those that all have.
func sum(scores, without map[string]int64) string {
	var parts []string
	for _, plugin := range slices.Sorted(maps.Keys(scores)) {
		if _, told := without[plugin]; !told {
			parts = append(parts, fmt.Sprintf("%s %d", plugin, scores[plugin]))
		}
	}
	return strings.Join(parts, " + ")
}

// verdict is what became of the Pod, and why.
func verdict(a *attempt.Attempt) string {
	switch {
	case a.FailedBy != "":
		return fmt.Sprintf("%s was chosen, and then %s failed: %s", a.Node, a.FailedBy, a.Message)
	case a.Node != "":
		return a.Node + ", " + reason(a)
	case a.Nominated != "":
		return fmt.Sprintf("no node now; Pods on %s are deleted to make room, and the Pod is tried again when they are gone", a.Nominated)
	}
	var rejections []string
	for _, r := range a.Rejections {
		what := strings.Join(strings.Fields(r.Reason), " ")
		if r.Count > 0 {
			what = fmt.Sprintf("%d of %s: %s", r.Count, nodes(a.Nodes), what)
		}
		rejections = append(rejections, fmt.Sprintf("%s rejects %s", r.Plugin, what))
	}
	if len(rejections) == 0 {
		return "no node: " + a.Message
	}
	return "no node: " + strings.Join(rejections, "; ")
}

// reason is why a node was chosen.
func reason(a *attempt.Attempt) string {
	switch {
	case a.Hint == a.Node:
		return "which an equal Pod left over a moment ago, so no other was looked at"
	case len(a.Scores) < 2 && a.Evaluated < a.Nodes:
		return "on which room was made for it"
	case len(a.Scores) < 2:
		return "the only one of " + nodes(a.Nodes) + " that is left"
	}
	best, next := a.Scores[0], a.Scores[1]
	if best.Total == next.Total {
		return fmt.Sprintf("one of those with the highest score: %d", best.Total)
	}
	return fmt.Sprintf("with the highest score: %d, before %s with %d", best.Total, next.Node, next.Total)
}

func nodes(n int) string {
	if n == 1 {
		return "1 node"
	}
	return fmt.Sprintf("%d nodes", n)
}
