package outline

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// outlineOf are the outlines of records, in blocks of a size.
func outlineOf(t *testing.T, records []*trace.Record, size int) (blocks [][]byte) {
	t.Helper()
	e := NewEncoder()
	for part := range slices.Chunk(records, size) {
		for _, record := range part {
			e.Add(record)
		}
		blocks = append(blocks, e.Block())
	}
	return blocks
}

// read are the outlines in blocks, as texts.
func read(t *testing.T, blocks [][]byte) (texts []string) {
	t.Helper()
	for _, data := range blocks {
		block, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		for record, err := range block.Records(Whole, Texts{}) {
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, textOf(record))
		}
	}
	return texts
}

// textOf is an outline as text.
func textOf(r *Record) string {
	return fmt.Sprintf("%s story %t failed %t facts %+v", strings.TrimSpace(string(r.Line())), r.Story, r.Failed, r.Facts)
}

// lines are a trace with something of each kind that an outline has.
const lines = `{"seq":1,"at":-1000,"kind":"request","date":"2026-01-01T00:00:00.4Z","actor":"shared-informers","background":true,"request":{"verb":"list","resource":"pods","code":200,"sent":-1000,"items":0,"rv":"5"}}
{"seq":2,"at":5,"kind":"action","action":{"step":0,"verb":"create","text":"pods/a"}}
{"seq":3,"at":6,"kind":"request","cause":2,"actor":"kubectl","request":{"verb":"create","resource":"pods","namespace":"default","name":"a","code":201,"sent":5,"rv":"6","writes":[{"op":"create","resource":"pods","namespace":"default","name":"a","uid":"u1","rv":6,"new":{"metadata":{"name":"a","uid":"u1","ownerReferences":[{"controller":true,"uid":"o1"}],"labels":{"controller-revision-hash":"h"}},"status":{"phase":"Pending"}}}]}}
{"seq":4,"at":9,"kind":"watch","cause":3,"actor":"shared-informers","watch":{"stream":"shared-informers/pods","type":"ADDED","resource":"pods","namespace":"default","name":"a","rv":6,"written":6}}
{"seq":5,"at":9,"kind":"watch","cause":3,"actor":"kubelet","watch":{"stream":"kubelet/pods","type":"ADDED","resource":"pods","namespace":"default","name":"a","rv":7,"written":6}}
{"seq":6,"at":10,"kind":"enqueue","cause":4,"actor":"job","enqueue":{"queue":"job","key":"default/j"}}
{"seq":7,"at":11,"kind":"sync","cause":6,"actor":"job","sync":{"phase":"start","queue":"job","key":"default/j","waited":1}}
{"seq":8,"at":12,"kind":"fault","actor":"","fault":{"rule":"r","effect":"500 InternalError","resource":"pods","name":"a"}}
{"seq":9,"at":12,"kind":"request","cause":7,"actor":"job","faultSeq":8,"request":{"verb":"update","resource":"pods","namespace":"default","name":"a","subresource":"status","code":500,"reason":"InternalError","sent":11,"writes":[{"op":"update","resource":"pods","namespace":"default","name":"a","uid":"u1","rv":7,"before":6,"changes":[{"path":"status.phase","old":"Pending","new":"Running"},{"path":"status.conditions","new":[{"type":"Ready","status":"True"}]},{"path":"spec.nodeName","new":"n"}]},{"op":"create","resource":"services","namespace":"default","name":"s","uid":"u2","rv":8,"new":{}}]}}
{"seq":10,"at":13,"kind":"timer","cause":7,"actor":"job","timer":{"queue":"job","key":"default/j"}}
{"seq":11,"at":14,"kind":"sync","cause":7,"actor":"job","sync":{"phase":"end","queue":"job","key":"default/j","start":7,"requests":1,"requeued":true,"error":"no luck"}}
{"seq":12,"at":15,"kind":"request","actor":"kubectl","request":{"verb":"delete","resource":"pods","namespace":"default","name":"a","code":200,"sent":15,"writes":[{"op":"delete","resource":"pods","namespace":"default","name":"a","uid":"u1","rv":9,"before":7}]}}
{"seq":13,"at":16,"kind":"check","check":{"name":"c","passed":false}}
{"seq":14,"at":16,"kind":"shiny","actor":"newer"}
`

// want are the outlines of these records, without the fields that they do not have.
var want = []string{
	`{"seq":1,"at":-1000,"kind":"request","date":"2026-01-01T00:00:00.4Z","actor":"shared-informers","background":true,"request":{"verb":"list","resource":"pods","code":200,"sent":0,"rv":"5"}} story false failed false facts []`,
	`{"seq":2,"at":5,"kind":"action","action":{"step":0,"verb":"","text":""}} story true failed false facts []`,
	`{"seq":3,"at":6,"kind":"request","cause":2,"actor":"kubectl","request":{"verb":"create","resource":"pods","namespace":"default","name":"a","code":201,"sent":0,"writes":[{"op":"create","resource":"pods","namespace":"default","name":"a","uid":"u1","rv":6}]}} story true failed false facts [{Owner:o1 Node: Phase:Pending Revision:h Ready:false Terminating:false MinReady:0}]`,
	`{"seq":4,"at":9,"kind":"watch","cause":3,"actor":"shared-informers","watch":{"stream":"","type":"ADDED","resource":"pods","namespace":"default","name":"a","rv":6,"written":6}} story false failed false facts []`,
	`{"seq":5,"at":9,"kind":"watch","cause":3,"actor":"kubelet","watch":{"stream":"","type":"ADDED","resource":"pods","namespace":"default","name":"a","rv":7,"written":6}} story false failed false facts []`,
	`{"seq":6,"at":10,"kind":"enqueue","cause":4,"actor":"job","enqueue":{"queue":""}} story false failed false facts []`,
	`{"seq":7,"at":11,"kind":"sync","cause":6,"actor":"job","sync":{"phase":"start","queue":"job","key":"default/j"}} story true failed false facts []`,
	`{"seq":8,"at":12,"kind":"fault","fault":{"rule":"","effect":"500 InternalError","resource":""}} story true failed false facts []`,
	`{"seq":9,"at":12,"kind":"request","cause":7,"actor":"job","faultSeq":8,"request":{"verb":"update","resource":"pods","namespace":"default","name":"a","subresource":"status","code":500,"sent":0,"writes":[{"op":"update","resource":"pods","namespace":"default","name":"a","rv":7,"changes":[{"path":"spec"}]},{"op":"create","resource":"services","namespace":"default","name":"s","rv":8}]}} story true failed true facts [{Owner:o1 Node:n Phase:Running Revision:h Ready:true Terminating:false MinReady:0} {Owner: Node: Phase: Revision: Ready:false Terminating:false MinReady:0}]`,
	`{"seq":10,"at":13,"kind":"timer","cause":7,"actor":"job","timer":{"queue":"job","key":"default/j"}} story false failed false facts []`,
	`{"seq":11,"at":14,"kind":"sync","cause":7,"actor":"job","sync":{"phase":"end","queue":"job","key":"default/j","start":7,"requeued":true,"error":"in the record"}} story false failed true facts []`,
	`{"seq":12,"at":15,"kind":"request","actor":"kubectl","request":{"verb":"delete","resource":"pods","namespace":"default","name":"a","code":200,"sent":0,"writes":[{"op":"delete","resource":"pods","namespace":"default","name":"a","rv":9}]}} story true failed false facts [{Owner: Node: Phase: Revision: Ready:false Terminating:false MinReady:0}]`,
	`{"seq":13,"at":16,"kind":"check","check":{"name":"","passed":false}} story true failed true facts []`,
	`{"seq":14,"at":16,"kind":"shiny","actor":"newer"} story true failed false facts []`,
}

func records(t *testing.T) (records []*trace.Record) {
	t.Helper()
	for record, err := range trace.ReadJSONL(strings.NewReader(lines)) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	return records
}

// TestOutline makes outlines and reads them, however the records are divided into blocks.
func TestOutline(t *testing.T) {
	all := records(t)
	for size := 1; size <= len(all); size++ {
		got := read(t, outlineOf(t, all, size))
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("blocks of %d: record %d is\n%s\nwant\n%s", size, i+1, append(got, "")[min(i, len(got))], want[i])
			}
		}
	}
}

// Blocks with a halt, and what cannot be a trace, have no outline; what is wrong stays wrong.
func TestNoOutline(t *testing.T) {
	e := NewEncoder()
	e.Add(&trace.Record{Seq: 1, Kind: trace.KindHalt, Halt: &trace.Halt{}})
	if block := e.Block(); block != nil {
		t.Errorf("a halt has the outline %x", block)
	}
	for name, wrong := range map[string]func(*trace.Record){
		"cause":  func(r *trace.Record) { r.Cause = 3 },
		"number": func(r *trace.Record) { r.Seq = 9 },
		"update": func(r *trace.Record) { r.Request.Writes[0].Op = trace.OpUpdate },
		"object": func(r *trace.Record) { r.Request.Writes[0].New = json.RawMessage(`{`) },
	} {
		e, all := NewEncoder(), records(t)
		wrong(all[2])
		for _, record := range all {
			e.Add(record)
		}
		if block := e.Block(); block != nil {
			t.Errorf("%s: a trace that is wrong has the outline %x", name, block)
		}
	}
}

// FuzzDecode reads what may come from anywhere: it ends, with an error or without.
func FuzzDecode(f *testing.F) {
	e := NewEncoder()
	for record, err := range trace.ReadJSONL(strings.NewReader(lines)) {
		if err != nil {
			f.Fatal(err)
		}
		e.Add(record)
	}
	whole := e.Block()
	f.Add(whole)
	for i := range whole {
		changed := slices.Clone(whole)
		changed[i] ^= 0x5a
		f.Add(changed)
		f.Add(whole[:i])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !IsKnown(data) {
			return
		}
		block, err := Decode(data)
		if err != nil {
			return
		}
		n := int64(0)
		for part := Brief; part <= Whole; part++ {
			n = 0
			for record, err := range block.Records(part, nil) {
				if err != nil {
					break
				}
				if record.Seq != block.First+n {
					t.Fatalf("record %d is in the place of record %d", record.Seq, block.First+n)
				}
				n++
			}
		}
	})
}

// Facts that are followed from write to write are those of the whole object, whatever changes.
func TestFactsFollowChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(values ...any) any { return values[random.IntN(len(values))] }
	object := func() any {
		o := map[string]any{"metadata": map[string]any{"name": "a"}, "spec": map[string]any{}}
		values := map[string]any{
			"metadata.ownerReferences":        pick(nil, []any{map[string]any{"uid": "o", "controller": pick(true, false)}}),
			"metadata.labels":                 pick(nil, map[string]any{"x": "y", "controller-revision-hash": pick("h", "i")}),
			"metadata.deletionTimestamp":      pick(nil, "2026-01-01T00:00:00Z"),
			"metadata.annotations":            pick(nil, map[string]any{"a": "b"}),
			"spec.nodeName":                   pick(nil, "n", "m"),
			"spec.minReadySeconds":            pick(nil, int64(5)),
			"spec.replicas":                   pick(nil, int64(5)),
			"status":                          pick(nil, map[string]any{}, map[string]any{"phase": pick("Running", "Failed")}),
			"status.conditions":               pick(nil, []any{map[string]any{"type": "Ready", "status": pick("True", "False")}}),
			"status.conditions[type=Started]": pick(nil, map[string]any{"type": "Started", "status": "True"}),
		}
		for _, path := range slices.Sorted(maps.Keys(values)) {
			value := values[path]
			if value == nil || strings.HasPrefix(path, "status.") && o["status"] == nil {
				continue
			}
			steps := strings.Split(path, ".")
			if len(steps) == 1 {
				o[path] = value
				continue
			}
			of, name, isElement := o[steps[0]].(map[string]any), steps[1], strings.Contains(steps[1], "[")
			if isElement {
				name = "conditions"
				list, _ := of[name].([]any)
				value = append(list, value)
			}
			of[name] = value
		}
		return o
	}
	for _, resource := range []string{"pods", "replicasets.apps"} {
		name := trace.Object{Resource: resource, Namespace: "default", Name: "a"}
		p, now := parts{}, object()
		text, err := json.Marshal(now)
		if err != nil {
			t.Fatal(err)
		}
		facts, err := p.write(&trace.Write{Op: trace.OpCreate, Object: name, New: text})
		for i := range 3000 {
			if whole := FactsOf(resource, now.(map[string]any)); err != nil || !reflect.DeepEqual(facts, whole) {
				t.Fatalf("%s, write %d: %+v, %v, want %+v", resource, i, facts, err, whole)
			}
			next := object()
			facts, err = p.write(&trace.Write{Op: trace.OpUpdate, Object: name, Changes: diff.Objects(now, next)})
			now = next
		}
	}
}
