package engine

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// TestTheWatchdogNamesTheCulprit freezes a simulation by a goroutine that waits for somebody outside.
func TestTheWatchdogNamesTheCulprit(t *testing.T) {
	release := make(chan struct{})
	f := freeze(t, release, func() { go waitOutside(release) })
	if f == nil || !strings.Contains(f.Stuck, "waitOutside") {
		t.Errorf("the report does not name the goroutine that waits: %+v", f)
	}
}

func waitOutside(release chan struct{}) { <-release }

// TestTheWatchdogTakesItsTime: virtual time passes, so there is nothing to report.
func TestTheWatchdogTakesItsTime(t *testing.T) {
	if f := freeze(t, make(chan struct{}), func() { go time.Sleep(time.Hour) }); f != nil {
		t.Error(f)
	}
}

// A queue holds a mutex during a request, as queues of kube-controller-manager do.
type queue struct{ mu sync.Mutex }

func (q *queue) try(release chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case <-time.After(time.Minute):
	case <-release:
	}
}

func (q *queue) swap() {
	q.mu.Lock()
	defer q.mu.Unlock()
}

// TestAMutexThatIsHeldInVirtualTime freezes the stock build, which says who waits for whom, and what helps. It does not freeze the exact
// build.
func TestAMutexThatIsHeldInVirtualTime(t *testing.T) {
	release := make(chan struct{})
	f := freeze(t, release, func() {
		q, inner := &queue{}, make(chan struct{})
		go q.try(inner)
		time.Sleep(time.Second)
		go q.swap()
		if !exact.Enabled() {
			// The thaw that only this test has.
			go func() {
				<-release
				close(inner)
			}()
		}
	})
	if exact.Enabled() {
		if f != nil {
			t.Error(f)
		}
		return
	}
	if f == nil {
		t.Fatal("the simulation is not frozen")
	}

	const want = "; engine.(*queue).swap waits for a mutex, and engine.(*queue).try, which probably holds it, waits for virtual time; " +
		"virtual time passes meanwhile in the exact build (make build), but not in this one"
	if !strings.HasSuffix(f.Error(), want) {
		t.Errorf("got %s\nwant ...%s", f, want)
	}
}

// freeze runs a simulation of two hours that begins with first, and closes release when the watchdog reports it. It returns the
// report, or nil.
func freeze(t *testing.T, release chan struct{}, first func()) *FrozenError {
	t.Helper()
	progress := &Progress{}
	frozen := make(chan *FrozenError, 1)
	stop := Watch(progress, 200*time.Millisecond, func(f *FrozenError) {
		frozen <- f
		close(release)
	})
	defer stop()
	if err := Bubble(start, func() {
		e := New(1, 0, progress)
		e.At(0, "start", func() { go first() })
		e.Run(2 * time.Hour)
	}); err != nil {
		t.Fatal(err)
	}
	select {
	case f := <-frozen:
		return f
	default:
		return nil
	}
}

// TestMutexWaits reads dumps of goroutines.
func TestMutexWaits(t *testing.T) {
	const waiter = `goroutine 42 [sync.Mutex.Lock, synctest bubble 1 labels:{"actor": "node-lifecycle-controller"}]:
internal/sync.runtime_SemacquireMutex(0xc000?, 0x8?, 0x4b8faa?)
	runtime/sema.go:95 +0x25
internal/sync.(*Mutex).lockSlow(0xc0008a2b40)
	internal/sync/mutex.go:149 +0x15d
sync.(*Mutex).Lock(...)
	sync/mutex.go:46
k8s.io/kubernetes/pkg/controller/nodelifecycle/scheduler.(*RateLimitedTimedQueue).SwapLimiter(0xc0008a2b40, 0x3dcccccd)
	k8s.io/kubernetes/pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go:273 +0x4d
created by main.main in goroutine 1
	main.go:1 +0x1
`
	const holder = `goroutine 43 [select (durable), synctest bubble 1]:
main.request({0x1, 0x2})
	main.go:2 +0x1
k8s.io/kubernetes/pkg/controller/nodelifecycle/scheduler.(*RateLimitedTimedQueue).Try(0xc0008a2b40, {0x1}, 0xc000111111)
	k8s.io/kubernetes/pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go:232 +0x2a
`
	const reader = `goroutine 44 [sync.RWMutex.RLock, synctest bubble 1]:
sync.runtime_SemacquireRWMutexR(0x1?, 0x1?, 0x2?)
	runtime/sema.go:100 +0x25
sync.(*RWMutex).RLock(...)
	sync/rwmutex.go:74
main.read[...]()
	main.go:9 +0x1
`
	const swap = "scheduler.(*RateLimitedTimedQueue).SwapLimiter waits for a mutex"
	for _, test := range []struct {
		name, dump, want string
	}{
		{"holder", waiter + "\n" + holder,
			swap + ", and scheduler.(*RateLimitedTimedQueue).Try, which probably holds it, waits for virtual time"},
		{"no holder", waiter, swap + " that another goroutine holds"},
		{"no method", reader + "\n" + holder, "main.read[...] waits for a mutex that another goroutine holds"},
		{"twice", waiter + "\n" + waiter, swap + " that another goroutine holds"},
		{"durable", strings.ReplaceAll(waiter, "Lock, ", "Lock (durable), "), ""},
		{"outside", strings.ReplaceAll(waiter, ", synctest bubble 1", ""), ""},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, wait := range mutexWaits(test.dump) {
				got = append(got, wait.String())
			}
			if text := strings.Join(got, "; "); text != test.want {
				t.Errorf("got %q, want %q", text, test.want)
			}
		})
	}
}
