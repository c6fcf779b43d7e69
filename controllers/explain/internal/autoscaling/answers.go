package autoscaling

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metricsclient "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/kubestep/kubestep/sim/trace"
)

// asks reports whether a request is that of a metric.
func asks(m *autoscalingv2.MetricSpec, q *trace.Request) bool {
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType, autoscalingv2.ContainerResourceMetricSourceType:
		return q.Resource == "pods.metrics.k8s.io"
	case autoscalingv2.PodsMetricSourceType:
		return q.Resource == "pods.custom.metrics.k8s.io" && q.Name == "*" && q.Subresource == m.Pods.Metric.Name
	case autoscalingv2.ObjectMetricSourceType:
		return strings.HasSuffix(q.Resource, "custom.metrics.k8s.io") && q.Name != "*" && q.Subresource == m.Object.Metric.Name
	case autoscalingv2.ExternalMetricSourceType:
		return q.Resource == m.External.Metric.Name+".external.metrics.k8s.io"
	}
	return false
}

// request is the index of the request whose answer counts for the nth metric of the spec, -1 for none: the client may have tried
// several times.
func (a *autoscaler) request(n int) int {
	specs := a.hpa.Spec.Metrics
	spare := 0
	for _, r := range a.Requests[a.asked:] {
		if asks(&specs[n], r.Request) {
			spare++
		}
	}
	for i := n; i < len(specs); i++ {
		if asksAlike(&specs[n], &specs[i]) {
			spare--
		}
	}
	for i := a.asked; i < len(a.Requests); i++ {
		switch q := a.Requests[i].Request; {
		case !asks(&specs[n], q):
		case q.Code >= http.StatusMultipleChoices && spare > 0:
			spare--
		default:
			return i
		}
	}
	return -1
}

// answer reads what the API returned for the nth metric of the spec into a list. The controller reads its cache when the answer has
// arrived. The result says what is wrong; it is empty if there are values.
func (a *autoscaler) answer(n int, into any) string {
	i := a.request(n)
	if i < 0 {
		return "no API of metrics answers"
	}
	q := a.Requests[i].Request
	a.asked = i + 1
	a.read, a.at = a.arrived(i)
	switch {
	case q.Code >= http.StatusMultipleChoices:
		return strings.TrimSpace(fmt.Sprintf("the API of metrics answered %d %s", q.Code, q.Reason))
	case q.Metrics == nil || json.Unmarshal(q.Metrics, into) != nil:
		return "the recording does not have the answer of the API of metrics"
	case string(q.Metrics) == "[]":
		return "the API of metrics has no value"
	}
	return ""
}

// asksAlike reports whether two metrics send the same request.
func asksAlike(a, b *autoscalingv2.MetricSpec) bool {
	resource := func(m *autoscalingv2.MetricSpec) bool {
		return m.Type == autoscalingv2.ResourceMetricSourceType || m.Type == autoscalingv2.ContainerResourceMetricSourceType
	}
	switch {
	case resource(a) && resource(b):
		return true
	case a.Type != b.Type:
		return false
	case a.Type == autoscalingv2.PodsMetricSourceType:
		return a.Pods.Metric.Name == b.Pods.Metric.Name
	case a.Type == autoscalingv2.ObjectMetricSourceType:
		return a.Object.Metric.Name == b.Object.Metric.Name
	case a.Type == autoscalingv2.ExternalMetricSourceType:
		return a.External.Metric.Name == b.External.Metric.Name
	}
	return false
}

// usage is what metrics.k8s.io says about a resource: of a container, or of all containers of each Pod. A Pod with a container that
// lacks the resource has no value.
func usage(items []metricsv1beta1.PodMetrics, resource corev1.ResourceName, container string) metricsclient.PodMetricsInfo {
	info := metricsclient.PodMetricsInfo{}
	for _, of := range items {
		sum, complete := int64(0), len(of.Containers) > 0
		if container != "" {
			complete = false
		}
		for _, c := range of.Containers {
			value, has := c.Usage[resource]
			switch {
			case container != "" && c.Name != container:
			case container != "":
				sum, complete = value.MilliValue(), has
			case !has:
				complete = false
			default:
				sum += value.MilliValue()
			}
		}
		if complete {
			info[of.Name] = metricsclient.PodMetric{Timestamp: of.Timestamp.Time, Window: of.Window.Duration, Value: sum}
		}
	}
	return info
}

// values are what custom.metrics.k8s.io says about Pods.
func values(items []customv1beta2.MetricValue) metricsclient.PodMetricsInfo {
	info := metricsclient.PodMetricsInfo{}
	for _, v := range items {
		window := time.Minute
		if v.WindowSeconds != nil {
			window = time.Duration(*v.WindowSeconds) * time.Second
		}
		info[v.DescribedObject.Name] = metricsclient.PodMetric{Timestamp: v.Timestamp.Time, Window: window, Value: v.Value.MilliValue()}
	}
	return info
}

// total is the sum of all values of an external metric.
func total(items []externalv1beta1.ExternalMetricValue) (sum int64) {
	for _, v := range items {
		sum += v.Value.MilliValue()
	}
	return sum
}
