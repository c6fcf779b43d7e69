package scene

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/review"
)

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
	// Object is what it is about.
	Object trace.Object `json:"-"`
	Way    Way          `json:"way"`
	End    End          `json:"end,omitempty"`
	// Text says what it does to which object, and Detail which fields or why it is refused; Detail is that of a message to look at now.
	Text   string `json:"text"`
	Detail string `json:"detail,omitempty"`
	// Current says that the record is the message, or follows from it directly.
	Current bool         `json:"current,omitempty"`
	Tone    palette.Tone `json:"tone,omitempty"`
}

// Message is the last message of a component, or of its replica that leads; nil before the first.
func (b *Beat) Message(o *Component) *Message {
	return b.message(o, b.replica(o, b.Instant().Leader()))
}

// message is the last message of a component, of which an actor is the replica to look at; nil before the first. A request is a message
// at the time at which the server executed it, a watch event at the time at which it arrived at the informer, and the call of a webhook
// at the time of its answer.
func (b *Beat) message(o *Component, actor string) *Message {
	last, trigger := recording.Latest(o.sent, b.Seq), b.trigger(o)
	for _, resource := range o.Resources {
		if from := b.Rec.Caches.Read(actor, resource); from != nil {
			last = max(last, recording.Latest(b.events[informer{from.Actor, resource}], b.Seq))
		}
	}
	if trigger != 0 {
		last = trigger
	}
	if last == 0 {
		return nil
	}
	m := &Message{Seq: last, Current: last == b.Seq || trigger != 0, Tone: palette.Dim}
	if m.Current {
		m.Tone = palette.Now
	}
	record, row := b.Rec.Record(last), b.Rec.Row(last)
	detail := row.Detail
	switch {
	case record.Watch != nil:
		m.Way, m.Object, m.Text, detail = Event, record.Watch.Object, Short(record.Watch.Object)+" "+record.Watch.Type, ""
		if write := b.Rec.Record(record.Cause); write != nil {
			detail = b.Rec.Row(write.Seq).Detail
		}
	case record.Webhook != nil:
		m.called(record.Webhook)
	case record.Fault != nil:
		m.Way, m.Object, m.End, m.Tone = Request, record.Fault.Object, Held, palette.Fault
		m.Text, detail = record.Fault.Verb+" "+Short(record.Fault.Object), "held by fault "+record.Fault.Rule
	default:
		m.Way, m.Object, m.Text = Request, record.Request.Object, row.Verb+" "+Short(record.Request.Object)
		if record.Request.Subresource != "" && row.Verb == record.Request.Verb {
			m.Text += "/" + record.Request.Subresource
		}
		if record.Request.Code >= 400 {
			m.End, m.Tone = Refused, palette.Failed
		}
	}
	if m.Current || m.End == Refused || m.End == Held {
		m.Detail = detail
	}
	return m
}

// trigger is the watch event because of which a component starts a sync or adds a key to its queue at the record; 0 for none.
func (b *Beat) trigger(o *Component) int64 {
	record := b.Rec.Record(b.Seq)
	if record == nil || !o.Is(record.Actor) {
		return 0
	}
	trigger := record.Cause
	switch {
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		trigger = b.Rec.Sync(b.Seq).Trigger
	case record.Enqueue == nil:
		return 0
	}
	if cause := b.Rec.Record(trigger); cause != nil && cause.Watch != nil {
		return trigger
	}
	return 0
}

// called describes the call of a webhook: create deploy/web: denied.
func (m *Message) called(w *review.Review) {
	m.Way = Call
	answer := "allowed"
	switch {
	case w.Error != "":
		answer, m.End = "no answer", Unanswered
	case w.Operation == review.Convert && !w.Allowed:
		answer, m.End = "failed", Denied
	case w.Operation == review.Convert:
		answer = "converted"
	case !w.Allowed:
		answer, m.End = "denied", Denied
	case len(w.Patch) > 0:
		answer = "patched"
	}
	if !w.Allowed {
		m.Tone = palette.Failed
	}
	object := trace.Object{Resource: w.Resource, Namespace: w.Namespace, Name: w.Name}
	m.Object = object
	m.Text = strings.ToLower(w.Operation) + " " + Short(object) + ": " + answer
}

// Short names an object as people type it for kubectl: rs/web-1.
func Short(o trace.Object) string {
	plural, _, _ := strings.Cut(o.Resource, ".")
	if kind := kinds.BuiltIn().Named(o.Resource); kind != nil {
		plural = kind.Singular
		if len(kind.ShortNames) > 0 {
			plural = kind.ShortNames[0]
		}
	}
	if o.Name == "" {
		return plural
	}
	return plural + "/" + o.Name
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
		text := Short(w.Object)
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
