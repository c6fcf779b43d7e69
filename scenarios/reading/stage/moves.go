package stage

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Move is a message on its way: a request to an object in the store, a watch event from it, or the call of a webhook.
type Move struct {
	// Actor is who sends or receives the message, Program its index among the programs of the stage, -1 if it is none of them, and Node
	// the node whose kubelet it is; empty for another program.
	Actor   string `json:"-"`
	Program int    `json:"program"`
	Node    string `json:"node,omitempty"`
	// Seq is its record.
	Seq int64 `json:"-"`
	// Object is what it is about.
	Object trace.Object `json:"-"`
	Way    scene.Way    `json:"way"`
	End    scene.End    `json:"end,omitempty"`
	// Label is written beside it: update, MODIFIED.
	Label string       `json:"label"`
	Tone  palette.Tone `json:"tone,omitempty"`
}

// moves are the message of the record, and those that a fault holds.
func (c *Cast) moves(b *scene.Beat, pods map[trace.Object]recording.Pod) (moves []Move) {
	actor := b.Rec.Actor(b.Seq)
	for _, o := range c.scenes.Components {
		if !o.Is(actor) {
			continue
		}
		if m := b.Message(o); m != nil && m.Current {
			moves = append(moves, c.move(b, o, m, pods))
		}
	}
	for _, o := range c.Programs {
		if m := b.Message(o); m != nil && m.End == scene.Held && !m.Current {
			moves = append(moves, c.move(b, o, m, pods))
		}
		for _, m := range b.HeldEvents(o) {
			moves = append(moves, c.move(b, o, m, pods))
		}
	}
	return moves
}

// move is a message between a component and an object.
func (c *Cast) move(b *scene.Beat, o *scene.Component, m *scene.Message, pods map[trace.Object]recording.Pod) Move {
	move := Move{Actor: o.Name, Program: slices.Index(c.Programs, o), Seq: m.Seq, Object: m.Object, Way: m.Way, End: m.End, Tone: m.Tone}
	record := b.Rec.Record(m.Seq)
	switch {
	case record.Watch != nil:
		move.Label = strings.ToLower(record.Watch.Type)
	case record.Request != nil:
		move.Label = b.Rec.Row(m.Seq).Verb
		if record.Request.Subresource == "status" {
			move.Label = "status"
		}
		if m.End == scene.Refused {
			move.Label = strings.TrimSpace(move.Label + " " + refusal(record.Request))
		}
	default:
		move.Label, _, _ = strings.Cut(m.Text, " ")
	}
	if o.Role == scene.Kubelet {
		move.Node = nodeOf(b, m.Object, pods)
	}
	return move
}

// nodeOf is the node whose kubelet sends a message about an object: that of a Pod, or the node itself.
func nodeOf(b *scene.Beat, o trace.Object, pods map[trace.Object]recording.Pod) string {
	if o.Resource == "nodes" {
		return o.Name
	}
	if pod, ok := pods[o]; ok {
		return pod.Node
	}
	// A Pod that the record deletes has been there before it.
	return podsAt(b, b.Seq-1)[o].Node
}
