package stage

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

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
	// Waiting are the indexes of the Pods that have no node.
	Waiting []int
	Moves   []Move
	Caption Caption
	// Attempt is that of kube-scheduler at the record; nil for another record.
	Attempt *Attempt
}

// Object is a member of the cast that exists.
type Object struct {
	*Member `json:"-"`
	// Owner is the index of its owner among the objects of the stage, -1 if none is there.
	Owner int `json:"-"`
	// Says is what it is like, in a few words, and Tone how it looks.
	Says string       `json:"says,omitempty"`
	Tone palette.Tone `json:"tone,omitempty"`
	// Phase is that of a Pod, and Node the name of its node; empty for everything else.
	Phase recording.Phase `json:"-"`
	Node  string          `json:"node,omitempty"`
	// Lit says that the record writes the object.
	Lit bool `json:"-"`
}

// At is the cluster at a beat.
func (c *Cast) At(b *scene.Beat) *Stage {
	s := &Stage{Programs: c.programs(b), Caption: c.caption(b), Moves: c.moves(b), Attempt: c.attempt(b)}
	pods := map[trace.Object]recording.Pod{}
	for _, pod := range b.Rec.PodsAt(b.Seq, b.Now) {
		pods[pod.Object] = pod
	}
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
		if pod, ok := pods[m.Object]; ok {
			o.Phase, o.Node = pod.Phase, pod.Node
			placed[pod.Node] = append(placed[pod.Node], len(s.Objects))
			if pod.Phase != recording.Failed && pod.Phase != recording.Succeeded {
				sums[pod.Node] = added(sums[pod.Node], c.request(v, b.Seq))
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
	s.Waiting = placed[""]
	for _, n := range b.Nodes() {
		if node, ok := c.node(b, n); ok {
			node.Pods, node.Meters = placed[n.Name], c.meters(&node, sums[n.Name])
			s.Nodes = append(s.Nodes, node)
		}
	}
	return s
}

// node is a node that exists; ok is false for the one that has the Pods without a node.
func (c *Cast) node(b *scene.Beat, n scene.Node) (node Node, ok bool) {
	object := nodeObject(n.Name)
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

// added is the sum of two lists, of which the first one is changed.
func added(sum, more corev1.ResourceList) corev1.ResourceList {
	if sum == nil {
		return maps.Clone(more)
	}
	for _, name := range slices.Sorted(maps.Keys(more)) {
		total := sum[name].DeepCopy()
		total.Add(more[name])
		sum[name] = total
	}
	return sum
}
