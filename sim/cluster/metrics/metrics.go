// Package metrics simulates metrics-server and adapters of custom and external metrics.
//
// The usage of pods is data: a load says how much cpu, memory, or of any other metric, the pods that it applies to use,
// each or all together. The server samples all running pods every 15 seconds, as metrics-server does with its default
// manifests, and answers from the last sample. So what an autoscaler reads is up to 15 seconds old, and does not
// contain a pod that has just started. With another resolution, and a delay until a sample is served, it is older.
//
// A load may also be the value of a metric that describes another object, such as the requests to a Service, or none,
// such as the length of a queue. These are sampled at the same times.
package metrics

import (
	"cmp"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/metrics/pkg/apis/metrics"

	"github.com/kubestep/kubestep/sim"
)

const (
	// DefaultResolution is the time between two samples: --metric-resolution in metrics-server's manifests.
	DefaultResolution = 15 * time.Second
	// youngest is the age from which one sample of a container is enough (metrics-server, pkg/storage). Usage is the
	// difference of two counters, and the start of the container can replace the first.
	youngest = 10 * time.Second
)

var podResource = corev1.SchemeGroupVersion.WithResource("pods").GroupResource()

// Server samples the pods of a simulation. It is an aggregated.Source.
type Server struct {
	sim   *sim.Simulation
	loads []*Load
	// reachable reports whether the kubelet of a node answers.
	reachable func(node string) bool
	options   Options

	// scraped is what is served.
	scraped
}

// Options configure a Server.
type Options struct {
	// Resolution is the time between two samples, 0 for the default, and Delay that from a sample until it is served.
	Resolution, Delay time.Duration
	// Measured is what the containers of a running pod use now, by their names: cpu and memory, for those that run. With nil, nothing
	// measures it, and the loads say all of it. Otherwise a load replaces it for its metric, in the first container of a pod.
	Measured func(*corev1.Pod) map[string]corev1.ResourceList
}

// scraped is what the server has sampled at one time: the pods, and the values of the loads of other objects and of none.
type scraped struct {
	at      time.Time
	samples []sample
	values  map[*Load]resource.Quantity
}

// sample is what a pod used at the last sampling.
type sample struct {
	pod    *corev1.Pod
	window time.Duration
	usage  map[string]resource.Quantity
	// measured is what was measured, by container; nil if nothing measures it.
	measured map[string]corev1.ResourceList
}

// Start starts the metrics server of a simulation, and makes the API server serve its samples.
func Start(s *sim.Simulation, loads []*Load, reachable func(node string) bool, options Options) *Server {
	options.Resolution = cmp.Or(options.Resolution, DefaultResolution)
	m := &Server{sim: s, loads: loads, reachable: reachable, options: options}
	s.Server.ServeMetrics(m)
	first := s.Engine.Draw("metrics-server|start", 1, options.Resolution)
	m.scrapeAt(s.Engine.Now() + first)
	return m
}

// Set changes a load, identified by its index in the loads of Start, from now on. It waits until that has happened, so
// it must not be called on the engine's goroutine.
func (m *Server) Set(load int, level Level) {
	m.sim.Engine.Call("metrics-server|set", func() {
		level.At = m.sim.Engine.Now()
		m.loads[load].set(level)
	})
}

func (m *Server) scrapeAt(at time.Duration) {
	m.sim.Engine.At(at, "metrics-server|scrape", func() {
		fresh := m.scrape(m.sim.Engine.Date())
		if m.options.Delay > 0 {
			m.sim.Engine.At(at+m.options.Delay, "metrics-server|serve", func() { m.scraped = fresh })
		} else {
			m.scraped = fresh
		}
		m.scrapeAt(at + m.options.Resolution)
	})
}

// scrape samples the pods of all kubelets.
func (m *Server) scrape(now time.Time) scraped {
	var running []*corev1.Pod
	fresh := scraped{at: now, values: map[*Load]resource.Quantity{}}
	for _, object := range m.sim.State.List(podResource, "") {
		pod := object.(*corev1.Pod)
		if since, ok := runningSince(pod); ok && m.reachable(pod.Spec.NodeName) {
			running = append(running, pod)
			window := min(now.Sub(since), m.options.Resolution)
			one := sample{pod: pod, window: window, usage: map[string]resource.Quantity{}}
			if m.options.Measured != nil {
				one.measured = m.options.Measured(pod)
			}
			fresh.samples = append(fresh.samples, one)
		}
	}
	for _, load := range m.loads {
		if level, begun := load.level(m.sim.Engine.Now()); begun && load.Pods == nil {
			fresh.values[load] = level.Value
		}
		for i, share := range load.shares(running, m.sim.Engine.Now()) {
			if share != nil {
				sum := fresh.samples[i].usage[load.Metric]
				sum.Add(*share)
				fresh.samples[i].usage[load.Metric] = sum
			}
		}
	}
	return fresh
}

// runningSince is when the first container of a running pod started.
func runningSince(pod *corev1.Pod) (time.Time, bool) {
	if pod.Status.Phase != corev1.PodRunning || len(pod.Status.ContainerStatuses) == 0 {
		return time.Time{}, false
	}
	state := pod.Status.ContainerStatuses[0].State
	if state.Running == nil {
		return time.Time{}, false
	}
	return state.Running.StartedAt.Time, true
}

// PodMetrics implements aggregated.Source. All usage that a load says is that of a pod's first container.
func (m *Server) PodMetrics(namespace string, selector labels.Selector) []metrics.PodMetrics {
	found := []metrics.PodMetrics{}
	for _, s := range m.selected(namespace, selector) {
		containers := s.containers()
		if s.window < youngest || len(containers) == 0 {
			continue
		}
		of := metrics.PodMetrics{
			ObjectMeta: metav1.ObjectMeta{
				Name: s.pod.Name, Namespace: s.pod.Namespace, Labels: s.pod.Labels, CreationTimestamp: metav1.NewTime(m.sim.Engine.Date()),
			},
			Timestamp: metav1.NewTime(m.at), Window: metav1.Duration{Duration: s.window}, Containers: containers,
		}
		found = append(found, of)
	}
	return found
}

// containers is what each container of a pod used; none if nothing is known of one of them, for metrics-server then leaves out the pod.
func (s sample) containers() (all []metrics.ContainerMetrics) {
	usage := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if quantity, known := s.usage[string(name)]; known {
			usage[name] = quantity
		}
	}
	for i, container := range s.pod.Spec.Containers {
		if i > 0 {
			usage = idle(usage)
		}
		of := corev1.ResourceList{}
		maps.Copy(of, s.measured[container.Name])
		maps.Copy(of, usage)
		if len(of) == 0 || s.measured != nil && s.measured[container.Name] == nil {
			return nil
		}
		all = append(all, metrics.ContainerMetrics{Name: container.Name, Usage: of})
	}
	return all
}

// idle is the usage of an idle container.
func idle(usage corev1.ResourceList) corev1.ResourceList {
	none := corev1.ResourceList{}
	for name := range usage {
		none[name] = resource.Quantity{}
	}
	return none
}

// selected are the samples that a request selects, sorted by namespace and name.
func (m *Server) selected(namespace string, selector labels.Selector) (found []sample) {
	for _, s := range m.samples {
		if (namespace == "" || namespace == s.pod.Namespace) && selector.Matches(labels.Set(s.pod.Labels)) {
			found = append(found, s)
		}
	}
	return found
}
