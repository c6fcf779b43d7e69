package stage

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	quota "k8s.io/apiserver/pkg/quota/v1"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Stage is the cluster at a beat.
type Stage struct {
	Programs []Program
	// Objects are those that exist, in the order of the cast.
	Objects []Object
	Nodes   []Node
	Moves   []Move
	Caption Caption
	// Attempt is that of kube-scheduler at the record; nil for another record.
	Attempt *Attempt
}

// kubelet is the name of the component that is on each node.
const kubelet = "kubelet"

// Object is a member of the cast that exists.
type Object struct {
	*Member
	// Owner is the index of its owner among the objects of the stage, -1 if none is there.
	Owner int
	// Says is what it is like, in a few words, and Tone how it looks.
	Says string
	Tone palette.Tone
	// Phase is that of a Pod, and Node the name of its node; empty for everything else.
	Phase recording.Phase
	Node  string
	// Lit says that the record writes the object, and Focused that the lesson is about it now.
	Lit, Focused bool
}

// At is the cluster at a beat.
func (c *Cast) At(b *scene.Beat) *Stage {
	pods := podsAt(b, b.Seq)
	s := &Stage{Programs: c.programs(b), Caption: c.caption(b), Moves: c.moves(b, pods), Attempt: c.attempt(b)}
	focus := b.Direction(b.Seq)
	index := map[*Member]int{}
	sums := map[string]corev1.ResourceList{}
	placed := map[string][]int{}
	for _, m := range c.Members {
		at := b.Rec.VersionAt(m.Object, b.Seq)
		if at < 0 || b.Rec.Versions(m.Object)[at].Gone {
			continue
		}
		v := version{m.Object, at}
		said := c.say(m, v, b.Seq)
		o := Object{Member: m, Owner: -1, Says: said.text, Tone: said.tone, Lit: b.Rec.Versions(m.Object)[at].Seq == b.Seq}
		o.Focused = slices.Contains(focus.Objects, m.Object)
		if pod, ok := pods[m.Object]; ok {
			o.Phase, o.Node = pod.Phase, pod.Node
			placed[pod.Node] = append(placed[pod.Node], len(s.Objects))
			if pod.Phase != recording.Failed && pod.Phase != recording.Succeeded {
				sums[pod.Node] = quota.Add(sums[pod.Node], c.request(v, b.Seq))
			}
		}
		index[m] = len(s.Objects)
		s.Objects = append(s.Objects, o)
	}
	for i := range s.Objects {
		if owner, ok := index[s.Objects[i].owner]; ok {
			s.Objects[i].Owner = owner
		}
	}
	for _, n := range b.Nodes() {
		if node, ok := c.node(b, n); ok {
			node.Focused = slices.Contains(focus.Programs, kubelet) || slices.Contains(focus.Objects, NodeObject(n.Name))
			node.Pods, node.Meters = placed[n.Name], c.meters(&node, sums[n.Name])
			s.Nodes = append(s.Nodes, node)
		}
	}
	return s
}

// node is a node that exists; ok is false for the one that has the Pods without a node.
func (c *Cast) node(b *scene.Beat, n scene.Node) (node Node, ok bool) {
	object := NodeObject(n.Name)
	at := b.Rec.VersionAt(object, b.Seq)
	if at < 0 {
		return Node{}, false
	}
	node = *c.machine(version{object, at}, b.Seq)
	node.Lit = b.Rec.Versions(object)[at].Seq == b.Seq
	if n.Mark != "" {
		node.State, node.Tone = joined(node.State, "kubelet "+n.Mark), palette.Failed
	}
	return node, true
}

// podsAt are the Pods after a record.
func podsAt(b *scene.Beat, seq int64) map[trace.Object]recording.Pod {
	pods := map[trace.Object]recording.Pod{}
	for _, pod := range b.Rec.PodsAt(seq, b.Now) {
		pods[pod.Object] = pod
	}
	return pods
}
