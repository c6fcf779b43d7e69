package workqueue

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// asked is a Queue that notes who asks for delayed additions, and which additions are those of a timer.
type asked struct {
	limited, functions, timers []string
}

func (*asked) Taken(float64) {}
func (*asked) Done()         {}

func (a *asked) Added() {
	if IsTimer() {
		a.timers = append(a.timers, "timer")
	} else {
		a.timers = append(a.timers, "other")
	}
}

func (a *asked) Delayed() {
	function, limited := Caller()
	a.functions = append(a.functions, function[strings.LastIndexByte(function, '.')+1:])
	if limited {
		a.limited = append(a.limited, function)
	}
}

// TestCaller asks a queue of client-go for additions: the function that does is known, and whether the rate limiter delays the key.
func TestCaller(t *testing.T) {
	var a asked
	Observe(func(string, bool) Queue { return &a })
	defer current.Store(nil)
	synctest.Test(t, func(*testing.T) {
		queue := workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "caller"})
		defer queue.ShutDown()
		later(queue)
		failed(queue)
		queue.Add("now")
		time.Sleep(time.Minute)
	})
	if got := strings.Join(a.functions, " "); got != "later failed" || len(a.limited) != 1 {
		t.Errorf("the functions are %s, and %d of them are rate-limited", got, len(a.limited))
	}
	if got := strings.Join(a.timers, " "); got != "other timer timer" {
		t.Errorf("the additions are %s", got)
	}
}

func later(queue workqueue.TypedRateLimitingInterface[string]) { queue.AddAfter("later", time.Second) }

func failed(queue workqueue.TypedRateLimitingInterface[string]) { queue.AddRateLimited("failed") }
