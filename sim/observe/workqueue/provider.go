package workqueue

import (
	"runtime"
	"sync/atomic"

	"k8s.io/client-go/util/workqueue"
)

// Queue receives what happens in one work queue, on the goroutine where it happens and, except in Delayed, with the queue
// locked: it must be fast and must not use the queue.
type Queue interface {
	// Added is called when a key enters the queue.
	Added()
	// Taken is called when a worker takes a key that waited for that many seconds.
	Taken(seconds float64)
	// Done is called when a worker marks its key done.
	Done()
	// Delayed is called when a delayed addition is requested, before its delay begins. It may wait.
	Delayed()
}

// Observe makes open provide the Queue of each work queue that is created from now on in this process. open is called
// on the goroutine that creates the queue, several times for one queue. Only the first of these calls has fresh set: a
// controller may have several queues of one name.
func Observe(open func(name string, fresh bool) Queue) { current.Store(&open) }

var current atomic.Pointer[func(name string, fresh bool) Queue]

func init() { workqueue.SetProvider(provider{}) }

func queue(name string, fresh bool) Queue {
	if open := current.Load(); open != nil {
		return (*open)(name, fresh)
	}
	return nil
}

// provider implements workqueue.MetricsProvider.
type provider struct{}

// metric adapts a function to all of client-go's metric interfaces.
type metric func(value float64)

// Inc implements workqueue.CounterMetric and workqueue.GaugeMetric.
func (m metric) Inc() { m(1) }

// Dec implements workqueue.GaugeMetric.
func (m metric) Dec() { m(-1) }

// Set implements workqueue.SettableGaugeMetric.
func (m metric) Set(value float64) { m(value) }

// Observe implements workqueue.HistogramMetric.
func (m metric) Observe(value float64) { m(value) }

func ignore(float64) {}

// NewAddsMetric implements workqueue.MetricsProvider. A queue requests it before the others.
func (provider) NewAddsMetric(name string) workqueue.CounterMetric {
	if q := queue(name, true); q != nil {
		return metric(func(float64) { q.Added() })
	}
	return metric(ignore)
}

// NewLatencyMetric implements workqueue.MetricsProvider.
func (provider) NewLatencyMetric(name string) workqueue.HistogramMetric {
	if q := queue(name, false); q != nil {
		return metric(q.Taken)
	}
	return metric(ignore)
}

// NewWorkDurationMetric implements workqueue.MetricsProvider.
func (provider) NewWorkDurationMetric(name string) workqueue.HistogramMetric {
	if q := queue(name, false); q != nil {
		return metric(func(float64) { q.Done() })
	}
	return metric(ignore)
}

// NewRetriesMetric implements workqueue.MetricsProvider.
func (provider) NewRetriesMetric(name string) workqueue.CounterMetric {
	if q := queue(name, false); q != nil {
		return metric(func(float64) { q.Delayed() })
	}
	return metric(ignore)
}

// NewDepthMetric implements workqueue.MetricsProvider.
func (provider) NewDepthMetric(string) workqueue.GaugeMetric { return metric(ignore) }

// NewUnfinishedWorkSecondsMetric implements workqueue.MetricsProvider. A goroutine of each queue (updateUnfinishedWorkLoop
// in client-go/util/workqueue/queue.go) does nothing but set this gauge and the next, twice a virtual second.
// Nobody reads them, and in a cluster at rest this takes most of the time, so the goroutine ends when it sets the gauge
// for the first time: it holds its locks by defer, and its sync.WaitGroup allows runtime.Goexit.
func (provider) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return metric(func(float64) { runtime.Goexit() })
}

// NewLongestRunningProcessorSecondsMetric implements workqueue.MetricsProvider.
func (provider) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return metric(ignore)
}
