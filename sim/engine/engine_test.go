package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// world runs body in a bubble with an engine and fails the test on a leak or panic.
func world(t *testing.T, seed uint64, body func(e *Engine)) {
	t.Helper()
	if err := Bubble(start, func() { body(New(seed, 0, &Progress{})) }); err != nil {
		t.Fatal(err)
	}
}

func TestTheClockBeginsAtTheStartDate(t *testing.T) {
	world(t, 1, func(e *Engine) {
		if !time.Now().Equal(start) {
			t.Errorf("now is %s, want %s", time.Now(), start)
		}
		e.Run(24 * time.Hour)
		if e.Now() != 24*time.Hour {
			t.Errorf("the run ended at %s, want 24h", e.Now())
		}
	})
}

func TestEventsRunInOrderOfTime(t *testing.T) {
	world(t, 1, func(e *Engine) {
		var got []string
		note := func(name string) func() {
			return func() { got = append(got, fmt.Sprintf("%s@%s", name, e.Now())) }
		}
		e.At(3*time.Second, "c", note("c"))
		e.At(time.Second, "a", func() {
			note("a")()
			e.At(2*time.Second, "b", note("b"))
		})
		e.At(time.Hour, "behind the end", note("late"))
		e.Run(time.Minute)
		if want := []string{"a@1s", "b@2s", "c@3s"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// TestTheOrderOfArrivalDoesNotMatter lets many goroutines ask at once, in random order. What happens must
// be a function of the seed alone.
func TestTheOrderOfArrivalDoesNotMatter(t *testing.T) {
	order := func(seed uint64, shuffle int64) string {
		var got []string
		world(t, seed, func(e *Engine) {
			names := []string{"a", "b", "c", "d", "e", "f"}
			random := rand.New(rand.NewPCG(uint64(shuffle), 0))
			random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			var wg sync.WaitGroup
			for _, name := range names {
				wg.Go(func() {
					e.Schedule(&Event{
						Key: "same key", Body: func() []byte { return []byte(name) },
						Due: func() time.Duration { return e.Draw("x", 0, 3) },
						Run: func() { got = append(got, name) },
					})
				})
			}
			e.Run(time.Second)
			wg.Wait()
		})
		return strings.Join(got, "")
	}
	orders := map[string]bool{}
	for seed := range uint64(8) {
		want := order(seed, 0)
		for shuffle := range int64(20) {
			if got := order(seed, shuffle); got != want {
				t.Fatalf("seed %d: order %s in one run and %s in another", seed, want, got)
			}
		}
		orders[want] = true
	}
	if len(orders) < 2 {
		t.Errorf("all seeds give the order %v", orders)
	}
}

// TestEventsOfOneKeyKeepTheirOrder is what a stream of watch events relies on: its events have one key, which holds no
// number, and get their times of arrival in the order in which they were scheduled.
func TestEventsOfOneKeyKeepTheirOrder(t *testing.T) {
	for seed := range uint64(8) {
		world(t, seed, func(e *Engine) {
			var admitted []int
			for n := range 200 {
				e.Schedule(&Event{Key: "watch|pods", Run: func() {}, Due: func() time.Duration {
					admitted = append(admitted, n)
					return 0
				}})
				e.Schedule(&Event{Key: fmt.Sprint("other|", n), Run: func() {}})
			}
			e.Run(time.Second)
			if len(admitted) != 200 || !slices.IsSorted(admitted) {
				t.Errorf("seed %d: admitted in the order %v", seed, admitted)
			}
		})
	}
}

func TestDrawsHangOnNamesNotOnTheOrderOfCalls(t *testing.T) {
	world(t, 7, func(e *Engine) {
		a1, b1 := e.Draw("a", 0, time.Hour), e.Draw("b", 0, time.Hour)
		other := New(7, 0, &Progress{})
		b2, a2 := other.Draw("b", 0, time.Hour), other.Draw("a", 0, time.Hour)
		if a1 != a2 || b1 != b2 {
			t.Errorf("a: %s and %s, b: %s and %s", a1, a2, b1, b2)
		}
		if again := e.Draw("a", 0, time.Hour); again == a1 {
			t.Errorf("the second draw for a key repeats the first: %s", again)
		}
		for range 1000 {
			if d := e.Draw("range", 5, 9); d < 5 || d > 9 {
				t.Fatalf("drew %d from 5..9", d)
			}
		}
	})
}

func TestTheWorldIsQuiescentBetweenEvents(t *testing.T) {
	world(t, 1, func(e *Engine) {
		work := make(chan int)
		busy := 0
		go func() {
			for n := range work {
				busy += n
				busy -= n
			}
		}()
		for i := range 100 {
			e.At(time.Duration(i), "feed", func() {
				if busy != 0 {
					t.Errorf("event %d runs while the worker is busy", i)
				}
				select {
				case work <- 1:
				default:
					t.Errorf("event %d runs before the worker waits again", i)
				}
			})
		}
		e.Run(time.Second)
		close(work)
	})
}

func TestCloseAbandonsWhatNeverRan(t *testing.T) {
	world(t, 1, func(e *Engine) {
		abandoned := false
		e.Schedule(&Event{
			Key: "x", Due: func() time.Duration { return time.Hour },
			Run: func() { t.Error("an event behind the end ran") }, Abandon: func() { abandoned = true },
		})
		e.Run(time.Minute)
		e.Close()
		if !abandoned {
			t.Error("the event was not abandoned")
		}
		if e.At(0, "y", func() {}) {
			t.Error("a closed engine takes events")
		}
	})
}

func TestAPanicInTheWorldIsReturned(t *testing.T) {
	err := Bubble(start, func() {
		e := New(1, 0, &Progress{})
		e.At(0, "boom", func() { panic("boom") })
		e.Run(time.Second)
	})
	var panicked *PanicError
	if !errors.As(err, &panicked) || panicked.Value != "boom" {
		t.Fatalf("got %v, want the panic", err)
	}
}

func TestAGoroutineWithADeadlineMayOutliveItsWorld(t *testing.T) {
	ended := false
	err := Bubble(start, func() {
		go func() {
			time.Sleep(2 * time.Minute)
			ended = true
		}()
	})
	if err != nil || !ended {
		t.Errorf("ended %v, %v", ended, err)
	}
}

func TestAGoroutineLeftBehindIsAnError(t *testing.T) {
	err := Bubble(start, func() { go func() { <-make(chan int) }() })
	if err == nil || !strings.Contains(err.Error(), "deadlock") {
		t.Fatalf("got %v, want synctest's report of blocked goroutines", err)
	}
}

// TestHeapAgainstASortedSlice compares the event heap with the simplest thing that could work.
func TestHeapAgainstASortedSlice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	world(t, 3, func(e *Engine) {
		type due struct {
			at time.Duration
			id int
		}
		var want, got []due
		for id := range 2000 {
			at := time.Duration(random.IntN(500)) * time.Millisecond
			want = append(want, due{at, id})
			e.At(at, fmt.Sprint(id), func() { got = append(got, due{e.Now(), id}) })
		}
		e.Run(time.Second)
		if len(got) != len(want) {
			t.Fatalf("%d of %d events ran", len(got), len(want))
		}
		if !slices.IsSortedFunc(got, func(a, b due) int { return int(a.at - b.at) }) {
			t.Error("events ran out of order")
		}
		byID := func(a, b due) int { return a.id - b.id }
		slices.SortFunc(got, byID)
		if !slices.Equal(got, want) {
			t.Error("an event ran at another time than it was due")
		}
	})
}

// BenchmarkEvents times the loop from outside the bubble: inside, the clock is virtual.
func BenchmarkEvents(b *testing.B) {
	if err := Bubble(start, func() {
		e := New(1, 0, &Progress{})
		n := 0
		var next func()
		next = func() {
			if n++; n < b.N {
				e.After(time.Millisecond, "next", next)
			}
		}
		e.At(0, "next", next)
		e.Run(time.Duration(b.N+1) * time.Millisecond)
	}); err != nil {
		b.Fatal(err)
	}
}

// TestAfterCountsFromNow: At counts from time zero, which a start-up may put into the future.
func TestAfterCountsFromNow(t *testing.T) {
	if err := Bubble(start, func() {
		e := New(1, time.Minute, &Progress{})
		var got []string
		note := func(name string) func() {
			return func() { got = append(got, fmt.Sprintf("%s@%s", name, e.Now())) }
		}
		e.At(0, "zero", note("zero"))
		e.After(time.Second, "after", note("after"))
		e.At(Past, "past", note("past"))
		e.Run(time.Second)
		if want := []string{"past@-1m0s", "after@-59s", "zero@0s"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// TestCallWaitsForTheEngine: when Call returns, the function has run, or the simulation has ended.
func TestCallWaitsForTheEngine(t *testing.T) {
	world(t, 1, func(e *Engine) {
		calls := 0
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if !Sleep(ctx, time.Second) {
				t.Error("the sleep was interrupted")
			}
			e.Call("one", func() { calls++ })
			if calls != 1 || e.Now() != time.Second {
				t.Errorf("%d calls at %s", calls, e.Now())
			}
			if Sleep(ctx, time.Hour) {
				t.Error("the sleep was not interrupted")
			}
			e.Call("two", func() { calls++ })
		}()
		e.Run(time.Minute)
		e.Close()
		cancel()
		<-ended
		if calls != 1 {
			t.Errorf("%d calls, although the engine is closed", calls)
		}
	})
}

// TestTheClassOfAnEventIsNotItsKey: what an event is does not depend on how its key begins, which may be the name of anybody's controller.
func TestTheClassOfAnEventIsNotItsKey(t *testing.T) {
	world(t, 1, func(e *Engine) {
		for _, class := range []Class{Other, Component, Routine} {
			e.As(class).At(time.Hour, fmt.Sprint("etcd|update|pods|", class), func() {})
		}
		e.At(time.Hour, "kubelet|beat|node-1", func() {})
		got := map[string]Class{}
		e.At(time.Second, "now", func() {
			e.Scheduled(func(event *Event, at time.Duration) bool {
				got[event.Key] = event.Class
				return at == time.Hour
			})
		})
		e.Run(time.Minute)
		want := map[string]Class{
			"etcd|update|pods|0": Other, "etcd|update|pods|1": Component, "etcd|update|pods|2": Routine, "kubelet|beat|node-1": Other,
		}
		if !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
