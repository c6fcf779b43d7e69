package contention_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/verdict/contention"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// TestFinder lets actors write a field in turn, once a second, and asks after that. The first 12 writes are not looked at, and the next one
// takes no value back: of 40 writes, 27 do.
func TestFinder(t *testing.T) {
	for _, c := range []struct {
		name, resource, field string
		// actors write in turn, writes times: each to its own value.
		actors []string
		writes int
		// after is how long after the last write the question is.
		after time.Duration
		want  string
	}{
		{"two controllers disagree", "deployments.apps", "spec.replicas", []string{"a-controller", "b-controller"}, 40, 0, "a-controller b-controller 27"},
		{"too few writes", "deployments.apps", "spec.replicas", []string{"a-controller", "b-controller"}, 20, 0, ""},
		{"it has ended", "deployments.apps", "spec.replicas", []string{"a-controller", "b-controller"}, 40, 10 * time.Second, ""},
		{"a user is part of it", "deployments.apps", "spec.replicas", []string{"a-controller", "kubectl"}, 40, 0, ""},
		{"one controller follows what it sees", "deployments.apps", "status.replicas", []string{"a-controller"}, 40, 0, ""},
		{"one controller does not agree with itself", "deployments.apps", "spec.replicas", []string{"a-controller"}, 40, 0, "a-controller 27"},
		{"two controllers see what a quota counts", "resourcequotas", "status.used.pods", []string{"a-controller", "b-controller"}, 40, 0, ""},
	} {
		isController := func(actor string) bool { return strings.HasSuffix(actor, "-controller") }
		finder := contention.NewFinder(contention.Actors{
			IsController: isController, IsProgram: isController, KeyOf: func(*trace.Record) string { return "default/web" },
		})
		object := trace.Object{Resource: c.resource, Namespace: "default", Name: "web"}
		var now time.Duration
		for n := range c.writes {
			now += time.Second
			change := diff.Change{Path: c.field, Old: number((n + 1) % 2), New: number(n % 2)}
			write := trace.Write{Op: trace.OpUpdate, Object: object, Changes: []diff.Change{change}}
			finder.Add(&trace.Record{
				Seq: int64(n + 1), At: now, Kind: trace.KindRequest, Actor: c.actors[n%len(c.actors)], Request: &trace.Request{Writes: []trace.Write{write}},
			})
		}
		got := ""
		for _, f := range finder.Fights(now + c.after) {
			got = fmt.Sprintf("%s %d", strings.Join(f.Controllers(), " "), f.Count)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func number(n int) json.RawMessage { return json.RawMessage(fmt.Sprint(n)) }
