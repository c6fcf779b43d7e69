package activity

import (
	"runtime"
	"sync"
	"testing"
)

func TestGoroutinesInheritTheActivityOfTheirStarter(t *testing.T) {
	var r Registry
	var wg sync.WaitGroup
	worker := &Activity{Actor: "deployment-controller"}
	sync1 := &Activity{Actor: "deployment-controller", Task: "default/web"}
	wg.Go(func() {
		r.Enter(worker)
		if got := r.Current(); got != worker {
			t.Errorf("worker: got %v", got)
		}
		r.Enter(sync1)
		wg.Go(func() {
			wg.Go(func() {
				if got := r.Current(); got != sync1 {
					t.Errorf("grandchild of the sync: got %v, want the sync", got)
				}
			})
		})
		r.Enter(worker)
		if got := r.Current(); got != worker {
			t.Errorf("worker after the sync: got %v", got)
		}
		r.Leave()
		if got := r.Current(); got != nil {
			t.Errorf("after Leave: got %v, want nil", got)
		}
	})
	wg.Wait()
	if got := r.Current(); got != nil {
		t.Errorf("the test's own goroutine: got %v, want nil", got)
	}
}

// TestAnActivityIsForgottenWhenNoGoroutineCarriesIt: a run of a year has a million syncs.
func TestAnActivityIsForgottenWhenNoGoroutineCarriesIt(t *testing.T) {
	const syncs = 50 * limitMin
	var r Registry
	var wg sync.WaitGroup
	worker, kept := &Activity{Actor: "worker"}, &Activity{Actor: "worker", Task: "kept"}
	rest := make(chan struct{})
	wg.Go(func() {
		r.Enter(kept)
		wg.Go(func() {
			<-rest
			if got := r.Current(); got != kept {
				t.Errorf("the goroutine that lives on: got %v, want what its starter worked on", got)
			}
		})
		for i := range syncs {
			one := &Activity{Actor: "worker", Task: i}
			r.Enter(one)
			if got := r.Current(); got != one {
				t.Errorf("sync %d: got %v", i, got)
			}
			r.Enter(worker)
			if got := r.Current(); got != worker {
				t.Errorf("after sync %d: got %v, want the worker", i, got)
			}
			if i%limitMin == 0 {
				runtime.GC()
			}
		}
		close(rest)
	})
	wg.Wait()
	if n := len(r.entries); n > 8*limitMin {
		t.Errorf("%d entries are left of %d", n, syncs)
	}
}

func BenchmarkCurrent(b *testing.B) {
	var r Registry
	r.Enter(&Activity{Actor: "x"})
	defer r.Leave()
	for b.Loop() {
		r.Current()
	}
}
