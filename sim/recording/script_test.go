package recording

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// TestScripts looks things up in small traces. The commands are:
//
//	trace [b]         the trace below, in place of the one before; b is a second one, to diverge from the first
//	caches at=N       what each informer's cache has after record N, and what the store has
//	between ACTOR RESOURCE from=1s to=2s
//	                  which revisions somebody can have read there
//	queues at=N       the work queues after record N
//	streams at=N      how far each informer has followed the store
//	why N             the row of record N, and the chain of its causes
//	sync N            the sync that record N belongs to, or the last one before it
//	marks             the records that a reader may want to go to
//	move KIND at=N    the next and the previous record among the marks of a kind
//	workload NAME at=N  a workload after record N
//	series NAME       how many Pods a workload had over time
//	family RESOURCE/NAME at=N  the owners of an object, and what they own
//	objects at=N      what existed after record N
//	epoch             the time at which At is 0
//	diverge [effect]  where the two traces diverge: by lines, or by effects
//
// Each is looked up twice: in the records, and in an archive of them of which only the outline was read.
//
// The first line may be the date of the first record: date 2026-01-01T00:00:00.4Z.
//
// A record is a line: when it happened, who did it and what, and at the end, where there is one, its cause. Numbers
// of records are those of the lines. See lineOf for what can happen.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		recs, outlines := map[string]*Recording{}, map[string]*Recording{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "trace" {
				name := ""
				if len(d.CmdArgs) > 0 {
					name = d.CmdArgs[0].Key
				}
				rec, err := recorded(d.Input)
				if err != nil {
					return "error: " + err.Error() + "\n"
				}
				recs[name], outlines[name] = rec, outlined(t, rec)
				return ""
			}
			found := lookUp(t, d, recs)
			if other := lookUp(t, d, outlines); other != found {
				t.Errorf("%s: read from an archive, by its outlines:\n%s\nwant:\n%s", d.Pos, other, found)
			}
			return found
		})
	})
}

func lookUp(t *testing.T, d *datadriven.TestData, recs map[string]*Recording) string {
	rec, at := recs[""], int64(0)
	d.MaybeScanArgs(t, "at", &at)
	if n, err := strconv.ParseInt(first(d), 10, 64); err == nil {
		at = n
	}
	switch d.Cmd {
	case "caches":
		return cachesText(rec, at)
	case "between":
		return betweenText(t, d, rec)
	case "queues":
		return queuesText(rec, at)
	case "streams":
		return streamsText(rec, at)
	case "why":
		return whyText(rec, at)
	case "sync":
		return syncText(rec, at)
	case "marks":
		return marksText(rec)
	case "move":
		of := marksOf(rec)[first(d)]
		return fmt.Sprintf("next %d, previous %d, latest %d\n", Next(of, at), Previous(of, at), Latest(of, at))
	case "workload", "series":
		return workloadText(rec, d.Cmd, first(d), at)
	case "family":
		return familyText(rec, object(first(d)), at)
	case "objects":
		return fmt.Sprintln(names(rec.ObjectsAt(at)))
	case "epoch":
		return rec.Epoch().Format(time.RFC3339Nano) + "\n"
	case "diverge":
		skip, same := (func(*trace.Record) bool)(nil), SameLine
		if first(d) == "effect" {
			skip, same = func(r *trace.Record) bool { return r.Note != nil }, SameEffect
		}
		i, j, differ := Diverge(rec.All(), recs["b"].All(), skip, same)
		return fmt.Sprintf("%t: record %d and record %d\n", differ, i+1, j+1)
	}
	d.Fatalf(t, "unknown command %q", d.Cmd)
	return ""
}

func first(d *datadriven.TestData) string {
	if len(d.CmdArgs) == 0 {
		return ""
	}
	return d.CmdArgs[0].Key
}

// recorded makes a recording of the lines of a script.
func recorded(text string) (*Recording, error) {
	builder, seq := NewBuilder(), int64(0)
	var date time.Time
	if first, rest, found := strings.Cut(text, "\n"); found && strings.HasPrefix(first, "date ") {
		var err error
		if date, err = time.Parse("date "+time.RFC3339, first); err != nil {
			return nil, err
		}
		text = rest
	}
	for line := range strings.SplitSeq(text, "\n") {
		seq++
		record, err := lineOf(seq, line)
		if err == nil && seq == 1 {
			record.Date = date
		}
		if err == nil {
			err = builder.Add(record)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", seq, err)
		}
	}
	return builder.Done(Origin{}, ""), nil
}

// lineOf reads one record. After the time and the actor comes one of:
//
//	list pods rv=7 | watch pods
//	create pods/a rv=8 [owner=NAME] PATH=VALUE | update pods/a rv=9 PATH=NEW | delete pods/a rv=10 | update pods/a 409 Conflict
//	ADDED|MODIFIED|DELETED pods/a rv=8
//	enqueue KEY | start KEY | timer KEY | done KEY start=4 [reads=pods/a@8] [writes=1] [requeued] [stale] [error=TEXT]
//	event REASON pods/a | log TEXT [stale] | note TEXT | step N VERB TEXT
func lineOf(seq int64, line string) (*trace.Record, error) {
	line, cause, _ := strings.Cut(line, " cause ")
	words := strings.Fields(line)
	if len(words) < 4 {
		return nil, fmt.Errorf("%q is too short", line)
	}
	at, err := time.ParseDuration(words[0])
	if err != nil {
		return nil, err
	}
	r := &trace.Record{Seq: seq, At: at, Actor: words[1]}
	r.Cause, _ = strconv.ParseInt(strings.TrimSpace(cause), 10, 64)
	does, what, rest := words[2], words[3], words[4:]
	switch does {
	case "list", "watch":
		r.Kind, r.Request = trace.KindRequest, &trace.Request{Verb: does, Object: object(what), Code: 200, RV: value(rest, "rv")}
	case "create", "update", "delete":
		r.Kind, r.Request = trace.KindRequest, written(does, object(what), rest)
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		r.Kind, r.Watch = trace.KindWatch, &trace.Watch{Type: does, Object: object(what), RV: number64(value(rest, "rv")), Written: at - 4e6}
	case "enqueue":
		r.Kind, r.Enqueue = trace.KindEnqueue, &trace.Enqueue{Queue: "q", Key: what}
	case "timer":
		r.Kind, r.Timer = trace.KindTimer, &trace.Timer{Queue: "q", Key: what}
	case "start", "done":
		r.Kind, r.Sync = trace.KindSync, syncPart(does, what, rest)
	case "event":
		r.Kind, r.Event = trace.KindEvent, &trace.Event{Type: "Normal", Reason: what, Regarding: object(rest[0])}
	case "log":
		r.Kind, r.Log = trace.KindLog, &trace.Log{Level: -1, Message: strings.Join(words[3:], " "), Stale: words[len(words)-1] == "stale"}
	case "note":
		r.Kind, r.Note = trace.KindNote, &trace.Note{Text: strings.Join(words[3:], " ")}
	case "step":
		step, _ := strconv.Atoi(what)
		r.Kind, r.Action = trace.KindAction, &trace.Action{Step: step, Verb: rest[0], Text: strings.Join(rest[1:], " ")}
	default:
		return nil, fmt.Errorf("%q happens never", does)
	}
	return r, nil
}

func written(verb string, o trace.Object, rest []string) *trace.Request {
	r := &trace.Request{Verb: verb, Object: o, Code: 200}
	if code, err := strconv.Atoi(rest[0]); err == nil {
		r.Code, r.Reason = code, rest[1]
		return r
	}
	w := trace.Write{Op: trace.Op(verb), Object: o, UID: o.Name, RV: number64(value(rest, "rv"))}
	created := map[string]any{}
	set(created, "metadata.uid", o.Name)
	for _, word := range rest[1:] {
		path, text, _ := strings.Cut(word, "=")
		var field any = text
		if err := json.Unmarshal([]byte(text), &field); err != nil {
			text = strconv.Quote(text)
		}
		if path == "owner" {
			path, field = "metadata.ownerReferences", []any{map[string]any{"uid": text, "controller": true}}
			field.([]any)[0].(map[string]any)["uid"], _ = strconv.Unquote(text)
		}
		set(created, path, field)
		w.Changes = append(w.Changes, diff.Change{Path: path, New: json.RawMessage(text)})
	}
	switch verb {
	case "create":
		w.New, _ = json.Marshal(created)
		w.Changes = nil
	case "delete":
		w.Changes = nil
	}
	r.Writes = []trace.Write{w}
	return r
}

// set puts a value at a path of an object.
func set(object map[string]any, path string, value any) {
	first, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		object[first] = value
		return
	}
	inner, ok := object[first].(map[string]any)
	if !ok {
		inner = map[string]any{}
		object[first] = inner
	}
	set(inner, rest, value)
}

func syncPart(does, key string, rest []string) *trace.Sync {
	s := &trace.Sync{Phase: trace.PhaseStart, Queue: "q", Key: key}
	if does == "start" {
		return s
	}
	s.Phase, s.Start, s.Error = trace.PhaseEnd, int64(number64(value(rest, "start"))), value(rest, "error")
	s.Writes = int(number64(value(rest, "writes")))
	s.Requests = s.Writes
	for _, word := range rest {
		if name, rv, ok := strings.Cut(strings.TrimPrefix(word, "reads="), "@"); ok {
			o := object(name)
			o.Resource, _, _ = strings.Cut(o.Resource, ".")
			s.Reads = append(s.Reads, trace.Read{Object: o, RV: rv})
		}
		s.Requeued, s.Stale = s.Requeued || word == "requeued", s.Stale || word == "stale"
	}
	return s
}

// object is pods, or pods/a in the namespace default.
func object(text string) trace.Object {
	resource, name, named := strings.Cut(text, "/")
	o := trace.Object{Resource: resource, Name: name}
	if named {
		o.Namespace = "default"
	}
	return o
}

func value(words []string, name string) string {
	for _, word := range words {
		if v, ok := strings.CutPrefix(word, name+"="); ok {
			return v
		}
	}
	return ""
}

func number64(text string) uint64 {
	n, _ := strconv.ParseUint(text, 10, 64)
	return n
}
