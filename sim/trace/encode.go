package trace

import (
	"encoding/json"
	"strconv"
)

// Line returns the record as a line of a trace, ending in a newline: what encoding/json makes of it. A record has more than twenty fields,
// of which most are absent, and package json looks at all of them by reflection. The records that a run has most of are written here: those
// of requests, watch events, work queues and syncs. What they rarely have, and all other kinds, are left to package json.
func (r *Record) Line() []byte {
	if !r.Date.IsZero() {
		return append(marshal(r), '\n')
	}
	const usual = 512
	e := encoder{out: append(make([]byte, 0, usual), '{')}
	e.number("seq", r.Seq)
	e.number("at", int64(r.At))
	e.text("kind", string(r.Kind))
	e.someNumber("cause", r.Cause)
	e.someText("actor", r.Actor)
	e.flag("background", r.Background)
	e.someNumber("faultSeq", r.FaultSeq)
	e.common(r)
	e.rare(r)
	return append(e.out, '}', '\n')
}

// encoder appends the fields of objects.
type encoder struct{ out []byte }

// common writes what most records have one of.
func (e *encoder) common(r *Record) {
	if r.Request != nil {
		e.begin("request", '{')
		e.request(r.Request)
		e.end('}')
	}
	if w := r.Watch; w != nil {
		e.begin("watch", '{')
		e.text("stream", w.Stream)
		e.text("type", w.Type)
		e.object(w.Object)
		e.someUnsigned("rv", w.RV)
		e.number("written", int64(w.Written))
		e.end('}')
	}
	if q := r.Enqueue; q != nil {
		e.begin("enqueue", '{')
		e.text("queue", q.Queue)
		e.someText("key", q.Key)
		e.someText("event", q.Event)
		e.flag("resync", q.Resync)
		e.end('}')
	}
	if r.Sync != nil {
		e.begin("sync", '{')
		e.sync(r.Sync)
		e.end('}')
	}
	if t := r.Timer; t != nil {
		e.begin("timer", '{')
		e.text("queue", t.Queue)
		e.someText("key", t.Key)
		e.end('}')
	}
}

// rare writes what is left of a record, in the order of its fields.
func (e *encoder) rare(r *Record) {
	part(e, "log", r.Log)
	part(e, "event", r.Event)
	part(e, "webhook", r.Webhook)
	part(e, "container", r.Container)
	part(e, "call", r.Call)
	part(e, "fault", r.Fault)
	part(e, "action", r.Action)
	part(e, "check", r.Check)
	part(e, "future", r.Future)
	part(e, "note", r.Note)
	part(e, "show", r.Show)
	part(e, "ask", r.Ask)
	part(e, "answer", r.Answer)
	part(e, "halt", r.Halt)
}

// part writes what package json makes of a value, unless it is nil.
func part[T any](e *encoder, name string, value *T) {
	if value != nil {
		e.name(name)
		e.out = append(e.out, marshal(value)...)
	}
}

func (e *encoder) request(r *Request) {
	e.text("verb", r.Verb)
	e.object(r.Object)
	e.someText("subresource", r.Subresource)
	e.number("code", int64(r.Code))
	e.someText("reason", r.Reason)
	e.someText("message", r.Message)
	e.number("sent", int64(r.Sent))
	e.items(r.Items)
	e.someText("rv", r.RV)
	e.raw("metrics", r.Metrics)
	e.raw("patch", r.Patch)
	if len(r.Webhooks) > 0 {
		part(e, "webhooks", &r.Webhooks)
	}
	e.someText("server", r.Server)
	part(e, "flow", r.Flow)
	if len(r.Writes) == 0 {
		return
	}
	e.begin("writes", '[')
	for i := range r.Writes {
		e.element()
		e.write(&r.Writes[i])
		e.end('}')
	}
	e.end(']')
}

func (e *encoder) write(w *Write) {
	e.text("op", string(w.Op))
	e.object(w.Object)
	e.someText("uid", w.UID)
	e.unsigned("rv", w.RV)
	e.someUnsigned("before", w.Before)
	e.raw("new", w.New)
	if len(w.Changes) == 0 {
		return
	}
	e.begin("changes", '[')
	for i := range w.Changes {
		e.element()
		e.text("path", w.Changes[i].Path)
		e.raw("old", w.Changes[i].Old)
		e.raw("new", w.Changes[i].New)
		e.end('}')
	}
	e.end(']')
}

func (e *encoder) sync(s *Sync) {
	e.text("phase", string(s.Phase))
	e.text("queue", s.Queue)
	e.someText("key", s.Key)
	e.someNumber("waited", int64(s.Waited))
	e.someNumber("start", s.Start)
	e.someNumber("duration", int64(s.Duration))
	if len(s.Reads) > 0 {
		e.begin("reads", '[')
		for i := range s.Reads {
			e.element()
			e.object(s.Reads[i].Object)
			e.someText("rv", s.Reads[i].RV)
			e.items(s.Reads[i].Items)
			e.end('}')
		}
		e.end(']')
	}
	e.someNumber("requests", int64(s.Requests))
	e.someNumber("writes", int64(s.Writes))
	e.flag("requeued", s.Requeued)
	e.someText("error", s.Error)
	e.flag("stale", s.Stale)
	part(e, "attempt", s.Attempt)
}

func (e *encoder) object(o Object) {
	e.text("resource", o.Resource)
	e.someText("namespace", o.Namespace)
	e.someText("name", o.Name)
}

func (e *encoder) items(items *int) {
	if items != nil {
		e.number("items", int64(*items))
	}
}

// separate writes a comma, unless an object or a list has just begun.
func (e *encoder) separate() {
	if last := e.out[len(e.out)-1]; last != '{' && last != '[' {
		e.out = append(e.out, ',')
	}
}

func (e *encoder) name(name string) {
	e.separate()
	e.out = append(e.out, '"')
	e.out = append(e.out, name...)
	e.out = append(e.out, '"', ':')
}

// begin begins an object or a list in a field, and element an object in a list.
func (e *encoder) begin(name string, bracket byte) {
	e.name(name)
	e.out = append(e.out, bracket)
}

func (e *encoder) element() {
	e.separate()
	e.out = append(e.out, '{')
}

func (e *encoder) end(bracket byte) { e.out = append(e.out, bracket) }

func (e *encoder) number(name string, value int64) {
	e.name(name)
	e.out = strconv.AppendInt(e.out, value, 10)
}

func (e *encoder) someNumber(name string, value int64) {
	if value != 0 {
		e.number(name, value)
	}
}

func (e *encoder) unsigned(name string, value uint64) {
	e.name(name)
	e.out = strconv.AppendUint(e.out, value, 10)
}

func (e *encoder) someUnsigned(name string, value uint64) {
	if value != 0 {
		e.unsigned(name, value)
	}
}

func (e *encoder) flag(name string, value bool) {
	if value {
		e.name(name)
		e.out = append(e.out, "true"...)
	}
}

func (e *encoder) text(name, value string) {
	e.name(name)
	if !isPlain(value) {
		e.out = append(e.out, marshal(value)...)
		return
	}
	e.out = append(e.out, '"')
	e.out = append(e.out, value...)
	e.out = append(e.out, '"')
}

func (e *encoder) someText(name, value string) {
	if value != "" {
		e.text(name, value)
	}
}

// raw writes what is JSON already.
func (e *encoder) raw(name string, value json.RawMessage) {
	switch {
	case len(value) == 0:
		return
	case !isCompact(value):
		value = marshal(value)
	}
	e.name(name)
	e.out = append(e.out, value...)
}

// isPlain reports whether a string of JSON is the text between quotes. Package json also escapes what HTML does not allow.
func isPlain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&':
			return false
		}
	}
	return true
}

// isCompact reports whether package json would write a value as it is: without space between tokens, and with nothing to escape.
func isCompact(value []byte) bool {
	quoted := false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '<' || c == '>' || c == '&' || c > '~':
			return false
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && c <= ' ':
			return false
		}
	}
	return !quoted
}
