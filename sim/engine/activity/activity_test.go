package activity

import (
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

func BenchmarkCurrent(b *testing.B) {
	var r Registry
	r.Enter(&Activity{Actor: "x"})
	defer r.Leave()
	for b.Loop() {
		r.Current()
	}
}
