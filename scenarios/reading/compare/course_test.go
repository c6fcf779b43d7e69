package compare

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestLate decides whether a run is late, by what happened in it and in the run without its faults:
//
//	late
//	TIME step                     a step of the user
//	TIME write OBJECT ACTOR       a request that changes an object
//	TIME fault RULE               a fault applies to something
//	TIME end RULE                 a fault releases what it held
//	TIME node RULE fail|recover   a node fails, or recovers
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
	course := NewDecisions().Course()
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
		case "write":
			resource, name, _ := strings.Cut(words[2], "/")
			object := trace.Object{Resource: resource, Name: name}
			record.Actor, record.Request = words[3], &trace.Request{Object: object, Writes: []trace.Write{{Object: object}}}
		case "fault":
			record.Fault = &trace.Fault{Rule: words[2], Effect: "500 InternalError", Verb: "update", Object: trace.Object{Resource: "pods"}}
			if len(words) > 3 {
				// 5s fault a 12: in the sync of record 12.
				record.Cause, _ = strconv.ParseInt(words[3], 10, 64)
			}
		case "end":
			record.Fault = &trace.Fault{Rule: words[2], Effect: "release"}
		case "node":
			record.Fault = &trace.Fault{Rule: words[2], Effect: words[3], Object: trace.Object{Resource: "nodes"}}
		default:
			t.Fatalf("unknown line %q", line)
		}
		course.Add(record)
	}
	return course
}
