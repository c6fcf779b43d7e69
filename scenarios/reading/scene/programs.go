package scene

import (
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/reading/components"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Program is a component of the cluster: what it said or heard last, and what a controller knows, has to do and decided.
type Program struct {
	*components.Component `json:"-"`
	// Mark is the state of its process as a sign of one cell, and About in words, as far as it is unusual.
	Mark  string       `json:"mark"`
	About string       `json:"about,omitempty"`
	Tone  palette.Tone `json:"tone,omitempty"`
	// Message is its last message; nil before the first.
	Message *Message `json:"message,omitempty"`
	// Queue is what is in its queues, Cache how far its caches are behind the store, and Stale that they are. All of these and Decided
	// are empty for a component without a queue.
	Queue string `json:"queue,omitempty"`
	Cache string `json:"cache,omitempty"`
	Stale bool   `json:"stale,omitempty"`
	// Decided is what its last sync decided.
	Decided string `json:"decided,omitempty"`
	// Nodes are those of the kubelet.
	Nodes []Node `json:"nodes,omitempty"`
}

// Way is how a message travels.
type Way string

// A Request goes to the API server, an Event comes from it, and a Call of a webhook comes from it and returns.
const (
	Request Way = "request"
	Event   Way = "watch"
	Call    Way = "call"
)

// End is what becomes of a message that does not simply arrive.
type End string

// A Refused message comes back, a Held one hangs, a webhook says no to a Denied one, and an Unanswered one has no answer.
const (
	Refused    End = "refused"
	Held       End = "held"
	Denied     End = "denied"
	Unanswered End = "unanswered"
)

// Message is a request, a watch event or the call of a webhook.
type Message struct {
	Seq int64 `json:"seq"`
	Way Way   `json:"way"`
	End End   `json:"end,omitempty"`
	// Text says what it does to which object, and Detail which fields or why it is refused; Detail is that of a message to look at now.
	Text   string `json:"text"`
	Detail string `json:"detail,omitempty"`
	// Current says that the record is the message, or follows from it directly.
	Current bool         `json:"current,omitempty"`
	Tone    palette.Tone `json:"tone,omitempty"`
}

// Node is a node with its Pods. Pods that no node runs yet are on one of the name "no node yet".
type Node struct {
	Name string `json:"name"`
	Pods Pods   `json:"pods"`
}

// Programs are some components, in their order.
func (b *Beat) Programs(of []*components.Component) []Program {
	var programs []Program
	for _, s := range b.Components.At(b.Seq, b.Now, of) {
		p := Program{Component: s.Component, Mark: s.Mark(), About: s.About(b.Times), Message: messageOf(s.Message)}
		switch s.Process.State {
		case why.Dead, why.Paused, why.Standby:
			p.Tone = palette.Dim
		}
		if s.Syncs {
			p.Queue = s.Queue(b.Times)
			p.Cache, p.Stale = s.Cache(b.Times)
			p.Decided = b.decided(&s)
		}
		if s.Role == components.Kubelet {
			p.Nodes = b.Nodes()
		}
		programs = append(programs, p)
	}
	return programs
}

// decided is what the last sync of a controller decided. An open question conceals it, but not that a process has crashed, which decides
// nothing.
func (b *Beat) decided(s *components.State) string {
	switch {
	case b.Asked && s.Process.State == why.Dead:
		return s.Process.Why + ": it decides nothing"
	case b.Asked:
		return "what it decides is the question"
	case s.Synced == "":
		return "no sync has ended yet"
	}
	return s.Synced + ": " + s.Verdict
}

func messageOf(m *components.Message) *Message {
	if m == nil {
		return nil
	}
	out := &Message{Seq: m.Seq, Way: Request, Text: m.Text, Current: m.Current, Tone: palette.Dim}
	if m.Current {
		out.Tone = palette.Now
	}
	switch {
	case m.Watch:
		out.Way = Event
	case m.Call:
		out.Way = Call
	}
	switch {
	case m.Unanswered:
		out.End = Unanswered
	case m.Denied:
		out.End = Denied
	case m.Refused:
		out.End = Refused
	case m.Held:
		out.End = Held
	}
	switch {
	case m.Refused, m.Denied:
		out.Tone = palette.Failed
	case m.Held:
		out.Tone = palette.Fault
	}
	if m.Current || m.Refused || m.Held {
		out.Detail = m.Detail
	}
	return out
}

// Nodes are the nodes by name, each with its Pods by their phases.
func (b *Beat) Nodes() []Node {
	nodes := []Node{}
	for _, node := range b.Rec.NodesAt(b.Seq, b.Now) {
		name := node.Name
		if name == "" {
			name = "no node yet"
		}
		nodes = append(nodes, Node{name, slices.Sorted(slices.Values(Pods(node.Pods)))})
	}
	return nodes
}

// Write is a write of an object, as the API server lists it.
type Write struct {
	RV      uint64
	Text    string
	Deleted bool
}

// String is the line of the write: rv 12 rs/web-1.
func (w Write) String() string { return fmt.Sprintf("rv %-4d %s", w.RV, w.Text) }

// Writes are those of a record.
func Writes(record *trace.Record) (writes []Write) {
	if record == nil || record.Request == nil {
		return nil
	}
	for _, w := range record.Request.Writes {
		text := components.Short(w.Object)
		if w.Op == trace.OpDelete {
			text += " deleted"
		}
		writes = append(writes, Write{w.RV, text, w.Op == trace.OpDelete})
	}
	return writes
}

// Stored are the last records that wrote something, the newest first; yield returns false to end.
func (b *Beat) Stored(yield func(seq int64, writes []Write) bool) {
	all := b.Rec.Marks().Writes
	for seq := recording.Latest(all, b.Seq); seq != 0; seq = recording.Previous(all, seq) {
		writes := Writes(b.Rec.Record(seq))
		slices.Reverse(writes)
		if !yield(seq, writes) {
			return
		}
	}
}
