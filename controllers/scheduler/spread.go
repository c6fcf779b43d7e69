//go:build !kubernetes_before_1_37

package scheduler

import (
	"context"
	"fmt"
	"math"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"

	"github.com/kubestep/kubestep/sim/process/unexported"
)

// spread is the plugin PodTopologySpread of a profile, with kept counts. For each Pod that it scores, upstream's plugin goes through all
// Pods of all nodes, once for each default constraint and once more for each node that it scores: the cost of a rollout grows with the
// square of its Pods. Here the Pods of a node are counted by their labels, and the counts change with the Pods (podCounts).
//
// Everything else is upstream's: which constraints there are, their selectors and weights, which nodes count, and what becomes of the
// scores. Pods with constraints of their own, and profiles with other defaults than the system's, are left to upstream as a whole.
// CheckSpread compares the counts with upstream's.
type spread struct {
	upstream *podtopologyspread.PodTopologySpread
	// blind is upstream's plugin in a cluster without Pods: it finds the constraints, and counts nothing.
	blind  *podtopologyspread.PodTopologySpread
	lister fwk.SharedLister
	counts podCounts
}

// keepSpreadCounts makes the plugin PodTopologySpread of a profile, if it has one, use kept counts.
func keepSpreadCounts(profile framework.Framework) {
	all := *unexported.Field[map[string]fwk.Plugin](profile, "pluginsMap")
	upstream, ok := all[podtopologyspread.Name].(*podtopologyspread.PodTopologySpread)
	if !ok || !*unexported.Field[bool](upstream, "systemDefaulted") {
		return
	}
	blind := *upstream
	none := framework.NewNodeInfo()
	none.SetNode(&corev1.Node{})
	*unexported.Field[fwk.SharedLister](&blind, "sharedLister") = oneNode{nodes: oneNodeLister{list: []fwk.NodeInfo{none}}}
	s := &spread{upstream: upstream, blind: &blind, lister: profile.SnapshotSharedLister()}
	s.counts.nodes = map[string]*nodePods{}
	preScore, score := *unexported.Field[[]fwk.PreScorePlugin](profile, "preScorePlugins"), scorePluginsOf(profile)
	for i, plugin := range preScore {
		if plugin.Name() == podtopologyspread.Name {
			preScore[i] = spreadPreScore{plugin, s}
		}
	}
	for i, plugin := range score {
		if plugin.Name() == podtopologyspread.Name {
			score[i] = spreadScore{plugin, s}
		}
	}
}

// scorePluginsOf are the plugins of a profile at the extension point Score.
func scorePluginsOf(profile framework.Framework) []fwk.ScorePlugin {
	return *unexported.Field[[]fwk.ScorePlugin](profile, "scorePlugins")
}

// oneNode is a cluster of one node.
type oneNode struct {
	fwk.SharedLister
	nodes oneNodeLister
}

// NodeInfos implements fwk.SharedLister.
func (o oneNode) NodeInfos() fwk.NodeInfoLister { return o.nodes }

type oneNodeLister struct {
	fwk.NodeInfoLister
	list []fwk.NodeInfo
}

// List implements fwk.NodeInfoLister.
func (o oneNodeLister) List() ([]fwk.NodeInfo, error) { return o.list, nil }

// spreadState is what PreScore finds for one Pod, beside upstream's state.
type spreadState struct {
	constraints []spreadConstraint
}

// Clone implements fwk.StateData.
func (s *spreadState) Clone() fwk.StateData { return s }

// spreadConstraint is a constraint of upstream's state.
type spreadConstraint struct {
	key      string
	selector labels.Selector
	maxSkew  int32
	weight   float64
	// counts are upstream's own, by the value of the key.
	counts map[string]*int64
}

// The keys of states: upstream's, and the one beside it.
const (
	upstreamState = "PreScore" + podtopologyspread.Name
	keptState     = "kept" + upstreamState
)

// constraintsOf reads the constraints of upstream's state, whose type is not exported. usual means that they ask of nodes what the
// system's constraints do: that the Pod may run there, whatever their taints.
func constraintsOf(state fwk.CycleState) (constraints []spreadConstraint, usual bool, err error) {
	data, err := state.Read(upstreamState)
	if err != nil {
		return nil, false, err
	}
	of := reflect.ValueOf(data).Elem()
	counts := of.FieldByName("TopologyValueToPodCounts").Interface().([]map[string]*int64)
	weights := of.FieldByName("TopologyNormalizingWeight").Interface().([]float64)
	list := of.FieldByName("Constraints")
	usual = of.FieldByName("IgnoredNodes").Len() == 0
	for i := range list.Len() {
		c := list.Index(i)
		constraints = append(constraints, spreadConstraint{
			key: c.FieldByName("TopologyKey").String(), selector: c.FieldByName("Selector").Interface().(labels.Selector),
			maxSkew: int32(c.FieldByName("MaxSkew").Int()), weight: weights[i], counts: counts[i],
		})
		usual = usual && c.FieldByName("NodeAffinityPolicy").String() == string(corev1.NodeInclusionPolicyHonor) &&
			c.FieldByName("NodeTaintsPolicy").String() == string(corev1.NodeInclusionPolicyIgnore)
	}
	return constraints, usual, nil
}

// spreadPreScore is the plugin at the extension point PreScore.
type spreadPreScore struct {
	fwk.PreScorePlugin
	*spread
}

// Name implements fwk.Plugin.
func (p spreadPreScore) Name() string { return podtopologyspread.Name }

// PreScore implements fwk.PreScorePlugin.
func (p spreadPreScore) PreScore(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, filtered []fwk.NodeInfo) *fwk.Status {
	all, err := p.lister.NodeInfos().List()
	if err != nil || len(all) == 0 || len(pod.Spec.TopologySpreadConstraints) > 0 {
		return p.PreScorePlugin.PreScore(ctx, state, pod, filtered)
	}
	if status := p.blind.PreScore(ctx, state, pod, filtered); !status.IsSuccess() {
		return status
	}
	constraints, usual, err := constraintsOf(state)
	if err != nil || !usual {
		return p.PreScorePlugin.PreScore(ctx, state, pod, filtered)
	}
	p.count(constraints, pod, all)
	state.Write(keptState, &spreadState{constraints})
	if differs := spreadDiffers; differs != nil {
		p.comparePreScore(ctx, state, pod, filtered, differs)
	}
	return nil
}

// count counts the Pods of each domain, as upstream's processAllNode does.
func (s *spread) count(constraints []spreadConstraint, pod *corev1.Pod, all []fwk.NodeInfo) {
	s.counts.forget(len(all))
	affinity := nodeaffinity.GetRequiredNodeAffinity(pod)
	for _, info := range all {
		node := info.Node()
		if matches, _ := affinity.Match(node); !matches {
			continue
		}
		for _, c := range constraints {
			if total := c.counts[node.Labels[c.key]]; total != nil {
				*total += s.counts.matching(info, c.selector, pod.Namespace)
			}
		}
	}
}

// spreadScore is the plugin at the extension point Score.
type spreadScore struct {
	fwk.ScorePlugin
	*spread
}

// Name implements fwk.Plugin.
func (p spreadScore) Name() string { return podtopologyspread.Name }

// Score implements fwk.ScorePlugin.
func (p spreadScore) Score(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, info fwk.NodeInfo) (int64, *fwk.Status) {
	data, err := state.Read(keptState)
	if err != nil {
		return p.ScorePlugin.Score(ctx, state, pod, info)
	}
	var score float64
	for _, c := range data.(*spreadState).constraints {
		value, has := info.Node().Labels[c.key]
		if !has {
			continue
		}
		var count int64
		if c.key == corev1.LabelHostname {
			count = p.counts.matching(info, c.selector, pod.Namespace)
		} else {
			count = *c.counts[value]
		}
		score += spreadScoreOf(count, c.maxSkew, c.weight)
	}
	rounded := int64(math.Round(score))
	if differs := spreadDiffers; differs != nil {
		if wanted, _ := p.upstream.Score(ctx, state, pod, info); wanted != rounded {
			differs(fmt.Sprintf("%s scores %d for %s, and by upstream's plugin %d", info.Node().Name, rounded, pod.Name, wanted))
		}
	}
	return rounded, nil
}

// spreadScoreOf is upstream's scoreForCount.
func spreadScoreOf(count int64, maxSkew int32, weight float64) float64 {
	return float64(count)*weight + float64(maxSkew-1)
}
