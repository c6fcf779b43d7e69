// Package ctrlsync makes the syncs of a controller that is a program of its own visible in the trace. Import it for its effect:
//
//	import _ "github.com/kubestep/kubestep/controllers/external/ctrlmain/ctrlsync"
//
// It observes the work queues of client-go, and so those of controller-runtime, that have a name.
package ctrlsync

import (
	"runtime"

	"k8s.io/client-go/util/workqueue"

	"github.com/kubestep/kubestep/controllers/external/ctrlmain"
)

func init() { workqueue.SetProvider(provider{}) }

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

// NewAddsMetric implements workqueue.MetricsProvider.
func (provider) NewAddsMetric(name string) workqueue.CounterMetric {
	return metric(func(float64) { ctrlmain.NewQueue(name).Added() })
}

// NewLatencyMetric implements workqueue.MetricsProvider.
func (provider) NewLatencyMetric(name string) workqueue.HistogramMetric {
	return metric(ctrlmain.NewQueue(name).Taken)
}

// NewWorkDurationMetric implements workqueue.MetricsProvider.
func (provider) NewWorkDurationMetric(name string) workqueue.HistogramMetric {
	return metric(func(float64) { ctrlmain.NewQueue(name).Done() })
}

// NewRetriesMetric implements workqueue.MetricsProvider.
func (provider) NewRetriesMetric(name string) workqueue.CounterMetric {
	return metric(func(float64) { ctrlmain.NewQueue(name).Delayed() })
}

// NewDepthMetric implements workqueue.MetricsProvider.
func (provider) NewDepthMetric(string) workqueue.GaugeMetric { return metric(ignore) }

// NewUnfinishedWorkSecondsMetric implements workqueue.MetricsProvider. A goroutine of each queue does nothing but set this
// gauge and the next, twice a virtual second; it ends when it sets the gauge for the first time.
func (provider) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return metric(func(float64) { runtime.Goexit() })
}

// NewLongestRunningProcessorSecondsMetric implements workqueue.MetricsProvider.
func (provider) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return metric(ignore)
}
