// Queues prints what package workqueue of kubestep observes of three queues: all of it, or what the second argument names. The first one
// is a seed, of which nothing here is a function.
package main

import (
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/util/workqueue"

	observed "github.com/kubestep/kubestep/sim/observe/workqueue"
)

type queue string

func (q queue) Added()        { q.print("syncs", "added") }
func (q queue) Taken(float64) { q.print("syncs", "taken") }
func (q queue) Done()         { q.print("syncs", "done") }
func (q queue) Delayed()      { q.print("retries", "delayed") }

func (q queue) print(experiment, what string) {
	if len(os.Args) < 3 || os.Args[2] == experiment {
		fmt.Println(q, what)
	}
}

func main() {
	observed.Observe(func(name string, _ bool) observed.Queue { return queue(name) })
	work(newController())
	work(workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[string](),
		workqueue.TypedRateLimitingQueueConfig[string]{Name: "named"}))
	work(func() workqueue.TypedRateLimitingInterface[string] {
		return workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Minute, time.Hour))
	}())
}

func newController() workqueue.TypedRateLimitingInterface[string] {
	return workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
}

func work(q workqueue.TypedRateLimitingInterface[string]) {
	q.Add("key")
	key, _ := q.Get()
	q.Done(key)
	q.AddRateLimited(key)
	q.ShutDown()
}
