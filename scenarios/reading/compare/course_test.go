package compare

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// TestLate decides whether a run is late, by what happened in it and in the run without its faults:
//
//	late
//	TIME step                     a step of the user
//	TIME write OBJECT ACTOR       a request that changes an object
//	TIME message OBJECT ACTOR     one that changes only the message of a condition
//	TIME fault RULE [SYNC]        a fault applies to a request for a Pod, in the sync of that record
//	TIME slow RULE SYNC           it only delays it
//	TIME delay RULE FAULT         a fault delays a list or a watch event; FAULT is its record
//	TIME arrives FAULT            what it delayed arrives
//	TIME sync SYNC KEY            a sync of a key begins
//	TIME done|requeued SYNC       it ends, and the key is queued again or not
//	TIME failed|dropped SYNC      it ends with an error, and the key is queued again or not
//	TIME end RULE                 a fault releases what it held
//	TIME node RULE fail|recover   a node fails, or recovers
//	TIME reason HPA REASON        an autoscaler gets a reason for its condition AbleToScale
//	TIME replicas HPA N           an autoscaler wants so many replicas
//	without
//	...                           the same for the other run
func TestLate(t *testing.T) {
	datadriven.RunTest(t, "testdata/late.txt", func(t *testing.T, d *datadriven.TestData) string {
		with, without, _ := strings.Cut(d.Input, "without\n")
		course := courseOf(t, with)
		message, late := course.Late(courseOf(t, without))
		if !late {
			return fmt.Sprintf("not late; settled at %s, the faults acted for %s\n", course.Settled, course.acted())
		}
		return message + "\n"
	})
}

func courseOf(t *testing.T, text string) *Course {
	t.Helper()
	course, began, reasons := NewDecisions().Course(), map[int64]time.Duration{}, map[string]string{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		at, err := time.ParseDuration(words[0])
		if err != nil {
			t.Fatal(err)
		}
		record := &trace.Record{At: at}
		switch words[1] {
		case "step":
			record.Action = &trace.Action{}
		case "write", "message":
			resource, name, _ := strings.Cut(words[2], "/")
			object := trace.Object{Resource: resource, Name: name}
			record.Actor, record.Request = words[3], &trace.Request{Object: object, Writes: []trace.Write{{Object: object}}}
			if words[1] == "message" {
				record.Request.Writes[0].Changes = []diff.Change{{Path: "status.conditions[type=PodScheduled].message"}}
			}
		case "fault", "slow":
			record.Fault = &trace.Fault{Rule: words[2], Effect: "500 InternalError", Verb: "update", Object: trace.Object{Resource: "pods"}}
			if words[1] == "slow" {
				record.Fault.Effect = trace.EffectDelay
			}
			if len(words) > 3 {
				record.Cause = numberIn(t, words[3])
			}
		case "delay":
			record.Seq, record.Fault = numberIn(t, words[3]), &trace.Fault{Rule: words[2], Effect: trace.EffectDelay, Verb: "list"}
		case "arrives":
			record.FaultSeq, record.Background, record.Request = numberIn(t, words[2]), true, &trace.Request{Verb: "list"}
		case "sync":
			record.Seq, record.Sync = numberIn(t, words[2]), &trace.Sync{Phase: trace.PhaseStart, Key: words[3]}
			began[record.Seq] = at
		case "done", "requeued", "failed", "dropped":
			start := numberIn(t, words[2])
			record.Sync = &trace.Sync{Phase: trace.PhaseEnd, Start: start, Duration: at - began[start], Requeued: words[1] == "requeued" || words[1] == "failed"}
			if words[1] == "failed" || words[1] == "dropped" {
				record.Sync.Error = "refused"
			}
		case "end":
			record.Fault = &trace.Fault{Rule: words[2], Effect: "release"}
		case "reason", "replicas":
			object := trace.Object{Resource: "horizontalpodautoscalers.autoscaling", Name: words[2]}
			change := diff.Change{Path: "status.desiredReplicas", New: []byte(words[3])}
			if words[1] == "reason" {
				change = diff.Change{Path: "status.conditions[type=AbleToScale].reason",
					Old: []byte(strconv.Quote(reasons[words[2]])), New: []byte(strconv.Quote(words[3]))}
				reasons[words[2]] = words[3]
			}
			record.Actor = "horizontal-pod-autoscaler-controller"
			record.Request = &trace.Request{Object: object, Writes: []trace.Write{{Object: object, Changes: []diff.Change{change}}}}
		case "node":
			record.Fault = &trace.Fault{Rule: words[2], Effect: words[3], Object: trace.Object{Resource: "nodes"}}
		default:
			t.Fatalf("unknown line %q", line)
		}
		course.Add(record)
	}
	return course
}

func numberIn(t *testing.T, word string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
