// Queues prints what package workqueue of kubestep observes of three queues.
package main

import (
	"fmt"
	"time"

	"k8s.io/client-go/util/workqueue"

	observed "github.com/kubestep/kubestep/sim/observe/workqueue"
)

type queue string

func (q queue) Added()        { fmt.Println(q, "added") }
func (q queue) Taken(float64) { fmt.Println(q, "taken") }
func (q queue) Done()         { fmt.Println(q, "done") }
func (q queue) Delayed()      { fmt.Println(q, "delayed") }

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
