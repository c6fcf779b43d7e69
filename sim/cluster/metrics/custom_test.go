package metrics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver/aggregated"
	"github.com/kubestep/kubestep/sim/engine"
)

// rising is a load that is 1 from the start, and 2 from one minute on.
func rising(load Load) *Load {
	load.Namespace = "default"
	load.Levels = []Level{{Value: resource.MustParse("1")}, {At: time.Minute, Value: resource.MustParse("2")}}
	return &load
}

// TestMetricsOfObjectsAndOfNone samples every 30 seconds, and serves a sample 20 seconds later: the value that is 2 from one
// minute on is served as 2 after 20 to 50 seconds, with the time of its sample.
func TestMetricsOfObjectsAndOfNone(t *testing.T) {
	service := &Object{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Service"}, Resource: "services", Name: "web"}
	loads := []*Load{
		rising(Load{Metric: "requests", Object: service}), rising(Load{Metric: "requests", Object: service}),
		rising(Load{Metric: "length", External: map[string]string{"queue": "a"}}),
		rising(Load{Metric: "length", External: map[string]string{"queue": "b"}}),
	}
	of := aggregated.CustomMetric{Resource: "services", Metric: "requests"}
	var served []string
	if err := engine.Bubble(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), func() {
		s, err := sim.New(sim.Options{Seed: 1})
		if err != nil {
			t.Error(err)
			return
		}
		defer s.End()
		m := Start(s, loads, func(string) bool { return true }, Options{Resolution: 30 * time.Second, Delay: 20 * time.Second})
		if got := fmt.Sprint(m.CustomMetrics(), m.ExternalMetrics()); got != "[{services requests}] [length]" {
			t.Error(got)
		}
		queue := labels.SelectorFromSet(labels.Set{"queue": "b"})
		s.Engine.OnQuiet(func() {
			line := ""
			for _, value := range m.CustomMetric(of, "default", labels.Everything()) {
				line += fmt.Sprintf(" %s %s %s", value.DescribedObject.Kind, value.DescribedObject.Name, value.Value.String())
			}
			for _, value := range m.ExternalMetric("default", "length", queue) {
				age := s.Engine.Date().Sub(value.Timestamp.Time)
				line += fmt.Sprintf("; %v %s, sampled %s ago", value.MetricLabels, value.Value.String(), age)
			}
			if line != "" && (len(served) == 0 || !strings.HasPrefix(served[len(served)-1], strings.Split(line, ",")[0])) {
				served = append(served, line)
			}
			if other := m.ExternalMetric("other", "length", queue); len(other) > 0 {
				t.Errorf("in another namespace: %v", other)
			}
		})
		s.Run(3 * time.Minute)
	}); err != nil {
		t.Fatal(err)
	}
	want := " Service web 2; map[queue:b] 1, sampled 20s ago|" + " Service web 4; map[queue:b] 2, sampled 20s ago"
	if got := strings.Join(served, "|"); got != want {
		t.Errorf("served %s, want %s", got, want)
	}
}
