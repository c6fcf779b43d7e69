// Package instrumentation keeps the Prometheus metrics of Kubernetes' components out of their registries while a
// simulation exists.
//
// A component registers its metrics when its constructor runs for the first time in a process. To register a metric, a
// registry starts a goroutine and waits for it (Registry.Register in client_golang; BaseStableCollector in component-base).
// Within a simulation that would make the first one of a process another than those after it: the goroutines that the
// constructor starts later would draw from other streams (sim/toolchain/exact), and others would run while it waits. Nobody scrapes a
// simulation, so it registers nothing. The metrics themselves count, except those that a collector makes when it is scraped.
package instrumentation

import (
	_ "unsafe" // for go:linkname

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
)

// defaultRegistry is the registry of Kubernetes' components. Upstream exports its functions, of which some are variables, and not
// the registry; a linkname reaches it.
//
//go:linkname defaultRegistry k8s.io/component-base/metrics/legacyregistry.defaultRegistry
var defaultRegistry metrics.KubeRegistry

// Hold makes registrations with the registries of the process do nothing: that of Kubernetes' components, and the default one
// of client_golang, with which components register collectors as well. What is registered already can be gathered. The
// function that Hold returns takes this back.
func Hold() (restore func()) {
	components, process := defaultRegistry, prometheus.DefaultRegisterer
	use(closed{components})
	prometheus.DefaultRegisterer = closedRegisterer{}
	return func() {
		use(components)
		prometheus.DefaultRegisterer = process
	}
}

// use makes r the registry of Kubernetes' components.
func use(r metrics.KubeRegistry) {
	defaultRegistry = r
	legacyregistry.Register, legacyregistry.MustRegister = r.Register, r.MustRegister
	legacyregistry.RawMustRegister, legacyregistry.Registerer = r.RawMustRegister, r.Registerer
}

// closed is a registry of components that takes no metrics. A metric counts once it is created, which is what a registry does
// with it before anything else.
type closed struct{ metrics.KubeRegistry }

func (closed) Register(metric metrics.Registerable) error {
	metric.Create(nil)
	return nil
}

func (c closed) MustRegister(registered ...metrics.Registerable) {
	for _, metric := range registered {
		_ = c.Register(metric)
	}
}

func (closed) CustomRegister(metrics.StableCollector) error { return nil }

func (closed) CustomMustRegister(...metrics.StableCollector) {}

func (closed) RawMustRegister(...prometheus.Collector) {}

func (closed) Unregister(metrics.Collector) bool { return true }

func (closed) Registerer() prometheus.Registerer { return closedRegisterer{} }

// closedRegisterer is a registry of client_golang that takes no metrics.
type closedRegisterer struct{}

func (closedRegisterer) Register(prometheus.Collector) error { return nil }

func (closedRegisterer) MustRegister(...prometheus.Collector) {}

func (closedRegisterer) Unregister(prometheus.Collector) bool { return true }
