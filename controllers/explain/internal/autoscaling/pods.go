package autoscaling

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcehelpers "k8s.io/component-helpers/resource"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	metricsclient "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

// groups are the Pods by how they count (groupPods).
type groups struct {
	ready                     int
	unready, missing, ignored []string
}

// group sorts the Pods. For cpu, the first minutes of a Pod count only while it is Ready, and with a sample that is younger than that.
func (a *autoscaler) group(pods []*corev1.Pod, metrics metricsclient.PodMetricsInfo, resource corev1.ResourceName) (g groups) {
	for _, p := range pods {
		metric, has := metrics[p.Name]
		switch {
		case p.DeletionTimestamp != nil || p.Status.Phase == corev1.PodFailed:
			g.ignored = append(g.ignored, p.Name)
		case p.Status.Phase == corev1.PodPending:
			g.unready = append(g.unready, p.Name)
		case !has:
			g.missing = append(g.missing, p.Name)
		case resource == corev1.ResourceCPU && a.isStarting(p, metric):
			g.unready = append(g.unready, p.Name)
		default:
			g.ready++
		}
	}
	for _, name := range slices.Concat(g.ignored, g.unready) {
		delete(metrics, name)
	}
	return g
}

// isStarting reports whether the cpu that a Pod uses does not count yet.
func (a *autoscaler) isStarting(p *corev1.Pod, metric metricsclient.PodMetric) bool {
	_, ready := podutil.GetPodCondition(&p.Status, corev1.PodReady)
	if ready == nil || p.Status.StartTime == nil {
		return true
	}
	started, since := p.Status.StartTime.Time, ready.LastTransitionTime.Time
	if started.Add(flags.HorizontalPodAutoscalerCPUInitializationPeriod.Duration).After(a.Time(a.at)) {
		return ready.Status == corev1.ConditionFalse || metric.Timestamp.Before(since.Add(metric.Window))
	}
	return ready.Status == corev1.ConditionFalse && started.Add(flags.HorizontalPodAutoscalerInitialReadinessDelay.Duration).After(since)
}

// note adds the groups to a step.
func (g groups) note(m *perPod, a *autoscaler, pods []*corev1.Pod) {
	step, counts := m.step, "not Pending"
	if m.resource == corev1.ResourceCPU {
		counts += ", and not just started"
	}
	step.Line("Pods", "selector "+a.scale.selector.String(), len(pods))
	if foreign := a.foreign(pods); len(foreign) > 0 {
		step.Line("of others", arithmetic.Few(foreign)+" do not belong to "+a.scale.name()+", but count", len(foreign))
	}
	step.Line("with a value", counts, g.ready)
	if len(g.unready) > 0 {
		step.Line("not ready yet", arithmetic.Few(g.unready), len(g.unready))
	}
	if len(g.missing) > 0 {
		step.Line("without a metric", arithmetic.Few(g.missing), len(g.missing))
	}
	if len(g.ignored) > 0 {
		step.Line("terminating or failed", arithmetic.Few(g.ignored)+", ignored", len(g.ignored))
	}
}

// requests are what the Pods request of a resource; the problem says which one requests nothing (calculateRequests).
func requests(pods []*corev1.Pod, container string, resource corev1.ResourceName) (of map[string]int64, problem string) {
	of = map[string]int64{}
	for _, p := range pods {
		if container == "" && resourcehelpers.IsPodLevelRequestsSet(p) {
			request, has := resourcehelpers.PodRequests(p, resourcehelpers.PodResourcesOptions{})[resource]
			if !has {
				return nil, fmt.Sprintf("Pod %s does not request %s", p.Name, resource)
			}
			of[p.Name] = request.MilliValue()
			continue
		}
		sum, found := int64(0), container == ""
		for _, c := range containers(p) {
			if container != "" && c.Name != container {
				continue
			}
			request, has := c.Resources.Requests[resource]
			if !has {
				return nil, fmt.Sprintf("container %s of Pod %s does not request %s", c.Name, p.Name, resource)
			}
			sum, found = sum+request.MilliValue(), true
		}
		if !found {
			return nil, fmt.Sprintf("Pod %s has no container %s", p.Name, container)
		}
		of[p.Name] = sum
	}
	return of, ""
}

// containers are those that run as long as the Pod does.
func containers(p *corev1.Pod) []corev1.Container {
	all := slices.Clone(p.Spec.Containers)
	for _, c := range p.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			all = append(all, c)
		}
	}
	return all
}

// readyPods counts the Pods that run and are Ready (getReadyPodsCount).
func readyPods(pods []*corev1.Pod) (n int) {
	for _, p := range pods {
		if p.Status.Phase == corev1.PodRunning && podutil.IsPodReady(p) {
			n++
		}
	}
	return n
}
