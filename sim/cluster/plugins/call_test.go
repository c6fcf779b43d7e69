package plugins

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestCalls makes calls that take a time from a range and of which the first two of a method fail.
func TestCalls(t *testing.T) {
	told := func(seed uint64) (calls []trace.Call) {
		err := engine.Bubble(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), func() {
			c := &Calls{Seed: func() uint64 { return seed }, Server: "node-1", Notice: func(call trace.Call) { calls = append(calls, call) }}
			how := Call{Takes: cri.Range{Min: time.Second, Max: 3 * time.Second}, Fails: "no disk", Times: 2}
			for _, name := range []string{"a", "b", "a"} {
				_ = c.Do(context.Background(), how, trace.Call{Plugin: "p", Method: "Stage", Object: trace.Object{Name: name}})
			}
			_ = c.Do(context.Background(), Call{}, trace.Call{Plugin: "p", Method: "Publish"})
		})
		if err != nil {
			t.Fatal(err)
		}
		return calls
	}
	calls := told(1)
	var texts []string
	for _, c := range calls {
		texts = append(texts, fmt.Sprintf("%s %s %s %q", c.Method, c.Name, c.Phase, c.Error))
		if c.Method == "Stage" && c.Phase == trace.PhaseEnd && (c.Took < time.Second || c.Took > 3*time.Second) {
			t.Errorf("took %s", c.Took)
		}
	}
	want := `[Stage a start "" Stage a end "no disk" Stage b start "" Stage b end "no disk" Stage a start "" Stage a end "" Publish  end ""]`
	if got := fmt.Sprint(texts); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if calls[1].Took == calls[5].Took {
		t.Errorf("two calls about one object both took %s", calls[1].Took)
	}
	if again := told(1); fmt.Sprint(again) != fmt.Sprint(calls) {
		t.Errorf("another run of the seed: %v, %v", again, calls)
	}
	if other := told(2); other[1].Took == calls[1].Took {
		t.Error("another seed draws the same")
	}
}

// TestGivenUp: whose context ends does not wait for the answer.
func TestGivenUp(t *testing.T) {
	if err := engine.Bubble(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		err := (&Calls{}).Do(ctx, Call{Takes: cri.Range{Min: time.Hour, Max: time.Hour}}, trace.Call{})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	}); err != nil {
		t.Fatal(err)
	}
}
