package metrics

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/metrics/pkg/apis/custom_metrics"
	"k8s.io/metrics/pkg/apis/external_metrics"

	"github.com/kubestep/kubestep/sim/apiserver/aggregated"
)

// pods is the resource that the metrics of pods describe.
const pods = "pods"

// CustomMetrics implements aggregated.Source.
func (m *Server) CustomMetrics() []aggregated.CustomMetric {
	found := map[aggregated.CustomMetric]bool{}
	for _, load := range m.loads {
		switch {
		case load.Object != nil:
			found[aggregated.CustomMetric{Resource: load.Object.Resource, Metric: load.Metric}] = true
		case load.Pods != nil && !IsResource(load.Metric):
			found[aggregated.CustomMetric{Resource: pods, Metric: load.Metric}] = true
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b aggregated.CustomMetric) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Metric, b.Metric))
	})
}

// IsResource reports whether a metric belongs to metrics.k8s.io, and not to custom.metrics.k8s.io.
func IsResource(metric string) bool {
	return metric == string(corev1.ResourceCPU) || metric == string(corev1.ResourceMemory)
}

// CustomMetric implements aggregated.Source. The metric of an object has the sum of its loads.
func (m *Server) CustomMetric(of aggregated.CustomMetric, namespace string, selector labels.Selector) []custom_metrics.MetricValue {
	if of.Resource == pods {
		return m.podMetric(namespace, of.Metric, selector)
	}
	var values []custom_metrics.MetricValue
	for _, load := range m.loads {
		value, sampled := m.values[load]
		if !sampled || load.Object == nil || load.Namespace != namespace ||
			of != (aggregated.CustomMetric{Resource: load.Object.Resource, Metric: load.Metric}) {
			continue
		}
		i := slices.IndexFunc(values, func(v custom_metrics.MetricValue) bool { return v.DescribedObject.Name == load.Object.Name })
		if i >= 0 {
			values[i].Value.Add(value)
			continue
		}
		version, kind := load.Object.ToAPIVersionAndKind()
		values = append(values, custom_metrics.MetricValue{
			DescribedObject: custom_metrics.ObjectReference{
				APIVersion: version, Kind: kind, Namespace: load.Namespace, Name: load.Object.Name,
			},
			Metric: custom_metrics.MetricIdentifier{Name: of.Metric}, Timestamp: metav1.NewTime(m.at), Value: value.DeepCopy(),
		})
	}
	return values
}

// podMetric are the values of a metric of pods.
func (m *Server) podMetric(namespace, metric string, selector labels.Selector) []custom_metrics.MetricValue {
	var values []custom_metrics.MetricValue
	for _, s := range m.selected(namespace, selector) {
		value, known := s.usage[metric]
		if !known {
			continue
		}
		values = append(values, custom_metrics.MetricValue{
			DescribedObject: custom_metrics.ObjectReference{
				APIVersion: "/v1", Kind: "Pod", Namespace: s.pod.Namespace, Name: s.pod.Name,
			},
			Metric: custom_metrics.MetricIdentifier{Name: metric}, Timestamp: metav1.NewTime(m.at), Value: value,
		})
	}
	return values
}

// isExternal reports whether the load is an external metric.
func (l *Load) isExternal() bool { return l.Pods == nil && l.Object == nil }

// ExternalMetrics implements aggregated.Source.
func (m *Server) ExternalMetrics() []string {
	names := map[string]bool{}
	for _, load := range m.loads {
		if load.isExternal() {
			names[load.Metric] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// ExternalMetric implements aggregated.Source. Each load is a series of its own.
func (m *Server) ExternalMetric(namespace, metric string, selector labels.Selector) []external_metrics.ExternalMetricValue {
	var values []external_metrics.ExternalMetricValue
	for _, load := range m.loads {
		value, sampled := m.values[load]
		if !sampled || !load.isExternal() || load.Metric != metric || load.Namespace != namespace ||
			!selector.Matches(labels.Set(load.External)) {
			continue
		}
		values = append(values, external_metrics.ExternalMetricValue{
			MetricName: metric, MetricLabels: load.External, Timestamp: metav1.NewTime(m.at), Value: value.DeepCopy(),
		})
	}
	return values
}
