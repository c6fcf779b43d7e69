package scenarios

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubestep/kubestep/scenarios/spelling"
	"github.com/kubestep/kubestep/sim/metrics"
)

// ParseQuantity reads 500m, 2 or 1Gi.
func ParseQuantity(text string) (Quantity, error) {
	quantity, err := resource.ParseQuantity(text)
	switch {
	case err != nil:
		return "", problem("500m, 2 or 1Gi", "invalid quantity %q", text)
	case quantity.Sign() < 0:
		return "", problem("0", "invalid quantity %q: must not be negative", text)
	}
	return Quantity(text), nil
}

// levelOf is the level that one of the two quantities says. The loader has checked that it is one.
func levelOf(total, perPod Quantity) metrics.Level {
	if perPod != "" {
		return metrics.Level{Value: resource.MustParse(string(perPod)), PerPod: true}
	}
	return metrics.Level{Value: resource.MustParse(string(total))}
}

// startMetrics starts a metrics-server if the scenario says what pods use.
func (r *run) startMetrics() error {
	var loads []*metrics.Load
	for i, load := range r.scenario.Spec.Cluster.Load {
		selector, err := labels.Parse(load.Pods)
		if err != nil {
			return r.scenario.Errorf(itemPath("spec.cluster.load", i)+".pods", "app=web", "%v", err)
		}
		out := &metrics.Load{Namespace: load.Namespace, Pods: selector, Metric: load.Metric}
		for _, level := range load.Levels {
			to := levelOf(level.Total, level.PerPod)
			to.At = level.At.Duration
			out.Levels = append(out.Levels, to)
		}
		loads = append(loads, out)
	}
	if loads != nil {
		r.metrics = metrics.Start(r.sim, loads, r.kubelets.Answers)
	}
	return nil
}

// changeLoad is the verb load.
func changeLoad(_ context.Context, r *run, i int, st Step) error {
	for n, load := range r.scenario.Spec.Cluster.Load {
		if load.Name == st.Load.Name {
			r.metrics.Set(n, levelOf(st.Load.Total, st.Load.PerPod))
			return nil
		}
	}
	return r.scenario.noLoad(i)
}

// noLoad says that a step is about a load that the scenario does not have.
func (s *Scenario) noLoad(i int) error {
	var names []string
	for _, load := range s.Spec.Cluster.Load {
		names = append(names, load.Name)
	}
	name, try := s.Spec.Steps[i].Load.Name, "declare it in spec.cluster.load"
	if near := spelling.Nearest(name, names); near != "" {
		try = near
	}
	return s.Errorf(StepPath(i)+".load.name", try, "there is no load %q", name)
}

// validateLoads finds steps that change a load that there is not.
func validateLoads(s *Scenario) error {
	known := map[string]bool{}
	for _, load := range s.Spec.Cluster.Load {
		known[load.Name] = true
	}
	var list ErrorList
	for i, st := range s.Spec.Steps {
		if st.Load != nil && !known[st.Load.Name] {
			list = append(list, s.noLoad(i).(*Error))
		}
	}
	if len(list) > 0 {
		return list
	}
	return nil
}
