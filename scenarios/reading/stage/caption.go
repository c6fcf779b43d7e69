package stage

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Caption is the record in a sentence.
type Caption struct {
	// Text says what happens, and Why the facts behind it: fields, or a cause.
	Text string `json:"text,omitempty"`
	Why  string `json:"why,omitempty"`
}

// caption is that of a beat. A note, a question and an answer are texts themselves and have none.
func (c *Cast) caption(b *scene.Beat) Caption {
	record, row := b.Rec.Record(b.Seq), b.Rec.Row(b.Seq)
	if record == nil || record.Note != nil || record.Ask != nil || record.Answer != nil {
		return Caption{}
	}
	name, _ := trace.SplitActor(record.Actor)
	switch {
	case record.Action != nil:
		return Caption{Text: c.Spoken(row.Object), Why: record.Action.Error}
	case record.Request != nil:
		return c.asks(name, record.Request, row.Detail)
	case record.Event != nil:
		return Caption{Text: name + " records the Event " + record.Event.Reason, Why: c.Spoken(record.Event.Message)}
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		return c.sync(b, name, record, row)
	}
	return Caption{
		Text: c.Spoken(join(" ", name, row.Verb, row.Object)),
		Why:  c.Spoken(joined(row.Detail, row.Outcome)),
	}
}

// sync says what a sync decides, unless that answers a question, or why it begins.
func (c *Cast) sync(b *scene.Beat, name string, record *trace.Record, row trace.Row) Caption {
	because := ""
	if row.Detail != "" {
		because = "because " + c.Spoken(row.Detail)
	}
	if e := b.History.Explained(b.Seq); e != nil && !e.Deferred && e.Verdict != "" && !b.Conceals(b.Seq) {
		return Caption{Text: name + ": " + c.Spoken(e.Verdict), Why: because}
	}
	return Caption{Text: fmt.Sprintf("%s looks at %s", name, c.key(record.Sync.Key)), Why: because}
}

// sentences are how a verb is said of somebody else; a status is written whatever the verb is.
var sentences = map[string]string{
	"create": "creates", "update": "updates", "patch": "patches", "apply": "applies", "delete": "deletes",
	"deletecollection": "deletes all", "get": "reads", "list": "lists", "watch": "watches",
}

// asks says who writes what.
func (c *Cast) asks(name string, r *trace.Request, detail string) Caption {
	does := sentences[r.Verb]
	if does == "" {
		does = r.Verb
	}
	object := c.called(r.Object)
	switch r.Subresource {
	case "":
	case "binding":
		does = "binds"
	case "eviction":
		does = "evicts"
	case "status":
		does = "writes the status of"
	default:
		does += " the " + r.Subresource + " of"
	}
	out := Caption{Text: strings.Join([]string{name, does, object}, " "), Why: c.Spoken(detail)}
	switch {
	case r.Code >= 400 && len(r.Writes) > 0:
		out.Text += ", and the answer is lost"
	case r.Code >= 400:
		out.Text += ", and the API server refuses it"
	}
	return out
}

// called is the name of an object with its kind.
func (c *Cast) called(o trace.Object) string {
	if m := c.byObject[o]; m != nil {
		return m.String()
	}
	kind := kinds.BuiltIn().Of(schema.ParseGroupResource(o.Resource))
	switch {
	case o.Resource == "nodes":
		return "Node " + o.Name
	case o.Name == "" && kind != nil:
		// The API server makes the name of what it creates.
		return "a " + kind.Kind
	}
	return scene.Short(o)
}

// key is a key of a queue as people say it: without the namespace that everything is in.
func (c *Cast) key(key string) string {
	return strings.TrimPrefix(c.Spoken(key), "default/")
}

// refusal is the answer to a request that the API server refuses: 409 Conflict.
func refusal(r *trace.Request) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.Code, r.Reason))
}
