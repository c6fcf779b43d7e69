package instrumentation_test

import (
	"slices"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"

	"github.com/kubestep/kubestep/sim/process/instrumentation"
)

// collector makes its metric when it is scraped. Whoever registers it asks for its description.
type collector struct {
	metrics.BaseStableCollector
	described int
}

func (c *collector) DescribeWithStability(descriptions chan<- *metrics.Desc) {
	c.described++
	descriptions <- metrics.NewDesc("kubestep_scraped", "", nil, nil, metrics.ALPHA, "")
}

func (c *collector) CollectWithStability(chan<- metrics.Metric) {}

// TestHold registers metrics in each way that components do: while registries are held, no registry has them.
func TestHold(t *testing.T) {
	process := prometheus.NewCounter(prometheus.CounterOpts{Name: "kubestep_process"})
	scraped := &collector{}
	var names []string
	var all []*metrics.Counter
	register := func() {
		all = nil
		for _, name := range []string{"kubestep_must", "kubestep_register", "kubestep_raw", "kubestep_registerer"} {
			all = append(all, metrics.NewCounter(&metrics.CounterOpts{Name: name}))
		}
		legacyregistry.MustRegister(all[0])
		if err := legacyregistry.Register(all[1]); err != nil {
			t.Error(err)
		}
		all[2].Create(nil)
		legacyregistry.RawMustRegister(all[2])
		all[3].Create(nil)
		legacyregistry.Registerer().MustRegister(all[3])
		legacyregistry.CustomMustRegister(scraped)
		prometheus.MustRegister(process)
		names = []string{"kubestep_must", "kubestep_raw", "kubestep_register", "kubestep_registerer"}
	}
	restore := instrumentation.Hold()
	register()
	register() // the ReplicaSet controller registers its metrics each time it is built
	if all[0].Inc(); !all[0].IsCreated() || !all[1].IsCreated() {
		t.Error("a metric that is not in a registry does not count")
	}
	if got := gathered(t); len(got) == 0 || slices.Contains(got, "kubestep_must") {
		t.Errorf("while registries are held, %q can be gathered", got)
	}
	restore()
	got := gathered(t)
	for _, name := range names {
		if slices.Contains(got, name) {
			t.Errorf("the registry of components has %s", name)
		}
	}
	if scraped.described > 0 || prometheus.Unregister(process) {
		t.Errorf("the collector was asked %d times, and may be in the registry of the process", scraped.described)
	}
	register()
	got = gathered(t)
	for _, name := range names {
		if !slices.Contains(got, name) {
			t.Errorf("after Hold, the registry of components has no %s", name)
		}
	}
	if scraped.described == 0 || !prometheus.Unregister(process) {
		t.Error("after Hold, the registries have no collectors")
	}
}

// gathered are the names of all metrics in the registry of components.
func gathered(t *testing.T) []string {
	t.Helper()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, family := range families {
		names = append(names, family.GetName())
	}
	return names
}
