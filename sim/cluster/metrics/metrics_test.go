package metrics

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	custom "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	resourceclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"
	customclient "k8s.io/metrics/pkg/client/custom_metrics"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/engine"
)

// play runs pods that are Ready two seconds after they were made, and asks from a client's goroutine.
func play(t *testing.T, loads []*Load, body func(s *sim.Simulation, m *Server, config *rest.Config)) {
	t.Helper()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := engine.Bubble(start, func() {
		s, err := sim.New(sim.Options{Seed: 1})
		if err != nil {
			t.Error(err)
			return
		}
		defer s.End()
		two := node.Delay{Min: 2 * time.Second, Max: 2 * time.Second}
		kubelets := node.Start(s, []node.Rule{{Match: node.Match{Name: "late"}, Ready: node.Delay{Never: true}}, {Ready: two}})
		if err := kubelets.AddNodes([]node.Spec{{Name: "node-1", Pods: 10}}, 0); err != nil {
			t.Error(err)
		}
		for _, name := range []string{"web-1", "web-2", "late", "other"} {
			app, _, _ := strings.Cut(strings.ReplaceAll(name, "late", "web"), "-")
			if _, err := s.Execute(apiserver.Request{
				Actor: "test", Verb: "create", Resource: corev1.SchemeGroupVersion.WithResource("pods"), Namespace: "default",
				Object: &corev1.Pod{
					ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": app}},
					Spec:       corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{Name: "c", Image: "c"}, {Name: "d", Image: "d"}}},
				},
			}, 0, false); err != nil {
				t.Error(err)
			}
		}
		var m *Server
		if loads != nil {
			m = Start(s, loads, kubelets.Answers, Options{})
		}
		s.Go("test", func(context.Context) {
			body(s, m, &rest.Config{Host: "http://kube-apiserver", Transport: s.RoundTripper("autoscaler"), QPS: -1})
			s.Engine.After(0, "test|done", s.Engine.Stop)
		})
		s.Run(time.Hour)
	}); err != nil {
		t.Fatal(err)
	}
}

var ctx = context.Background()

func load(metric string, levels ...Level) *Load {
	return &Load{Namespace: "default", Pods: labels.SelectorFromSet(labels.Set{"app": "web"}), Metric: metric, Levels: levels}
}

func total(at time.Duration, value string) Level {
	return Level{At: at, Value: resource.MustParse(value)}
}

func perPod(value string) Level { return Level{Value: resource.MustParse(value), PerPod: true} }

// TestResourceMetrics asks with upstream's client, which HorizontalPodAutoscalers use.
func TestResourceMetrics(t *testing.T) {
	loads := []*Load{load("cpu", total(0, "500m"), total(time.Minute, "2")), load("memory", perPod("64Mi"))}
	play(t, loads, func(s *sim.Simulation, m *Server, config *rest.Config) {
		client := resourceclient.NewForConfigOrDie(config).PodMetricses("default")
		usage := func() (found []string) {
			list, err := client.List(ctx, metav1.ListOptions{LabelSelector: "app in (web, other)"})
			if err != nil {
				t.Error(err)
				return nil
			}
			for _, pod := range list.Items {
				of := pod.Containers[0].Usage
				found = append(found, pod.Name+" "+of.Cpu().String()+" "+of.Memory().String())
				if idle := pod.Containers[1]; idle.Name != "d" || !idle.Usage.Cpu().IsZero() {
					t.Errorf("the second container is %v", idle)
				}
				if age := time.Since(pod.Timestamp.Time); age < 0 || age >= 16*time.Second || pod.Window.Duration < 10*time.Second {
					t.Errorf("a sample of %s ago over %s", age, pod.Window.Duration)
				}
			}
			return found
		}
		expect := func(what string, want ...string) {
			t.Helper()
			if got := usage(); strings.Join(got, ", ") != strings.Join(want, ", ") {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		time.Sleep(9 * time.Second)
		expect("a pod that has run for 7 seconds")
		time.Sleep(30 * time.Second)
		expect("two ready pods share", "web-1 250m 64Mi", "web-2 250m 64Mi")
		time.Sleep(time.Minute)
		expect("the next level", "web-1 1 64Mi", "web-2 1 64Mi")
		m.Set(0, total(0, "100m"))
		expect("before the next sample", "web-1 1 64Mi", "web-2 1 64Mi")
		time.Sleep(16 * time.Second)
		expect("after it", "web-1 50m 64Mi", "web-2 50m 64Mi")
		if one, err := client.Get(ctx, "web-2", metav1.GetOptions{}); err != nil || one.Containers[0].Usage.Cpu().String() != "50m" {
			t.Errorf("got %v, %v", one, err)
		}
	})
}

// TestNodeMetrics asks as kubectl top nodes does: a node uses what its Pods use, of the metrics that loads are about.
func TestNodeMetrics(t *testing.T) {
	loads := []*Load{load("cpu", total(0, "500m")), load("requests", perPod("7"))}
	play(t, loads, func(_ *sim.Simulation, _ *Server, config *rest.Config) {
		client := resourceclient.NewForConfigOrDie(config).NodeMetricses()
		if list, err := client.List(ctx, metav1.ListOptions{}); err != nil || len(list.Items) != 0 {
			t.Errorf("before the first sample: %v, %v", list, err)
		}
		time.Sleep(39 * time.Second)
		node, err := client.Get(ctx, "node-1", metav1.GetOptions{})
		if err != nil {
			t.Error(err)
			return
		}
		if len(node.Usage) != 1 || node.Usage.Cpu().String() != "500m" || node.Window.Duration != DefaultResolution {
			t.Errorf("the node uses %v over %s", node.Usage, node.Window.Duration)
		}
		if list, err := client.List(ctx, metav1.ListOptions{LabelSelector: "none=such"}); err != nil || len(list.Items) != 0 {
			t.Errorf("with a label that no node has: %v, %v", list, err)
		}
		if _, err := client.Get(ctx, "node-2", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("a node that is not there: %v", err)
		}
	})
}

// TestCustomMetrics asks with upstream's client, which finds the version by discovery.
func TestCustomMetrics(t *testing.T) {
	play(t, []*Load{load("requests", perPod("7")), load("requests", total(0, "10"))}, func(_ *sim.Simulation, _ *Server, config *rest.Config) {
		mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion})
		mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
		versions := customclient.NewAvailableAPIsGetter(discovery.NewDiscoveryClientForConfigOrDie(config))
		client := customclient.NewForConfig(config, mapper, versions).NamespacedMetrics("default")
		pod := schema.GroupKind{Kind: "Pod"}
		time.Sleep(20 * time.Second)
		list, err := client.GetForObjects(pod, labels.SelectorFromSet(labels.Set{"app": "web"}), "requests", labels.Everything())
		if err != nil || len(list.Items) != 2 {
			t.Errorf("got %v, %v", list, err)
			return
		}
		for i, name := range []string{"web-1", "web-2"} {
			if value := list.Items[i]; value.DescribedObject.Name != name || value.Value.String() != "12" {
				t.Errorf("%s has %s", value.DescribedObject.Name, value.Value.String())
			}
		}
		none, err := client.GetForObjects(pod, labels.SelectorFromSet(labels.Set{"app": "other"}), "requests", labels.Everything())
		if err != nil || len(none.Items) != 0 {
			t.Errorf("a pod without the metric: %v, %v", none, err)
		}
		one, err := client.GetForObject(pod, "web-1", "requests", labels.Everything())
		if err != nil || one.Metric.Name != "requests" {
			t.Errorf("got %v, %v", one, err)
		}
	})
}

// TestDiscovery names the groups only where there is something to serve.
func TestDiscovery(t *testing.T) {
	for _, test := range []struct {
		name  string
		loads []*Load
		want  []string
	}{
		{"no load", nil, nil},
		{"cpu", []*Load{load("cpu", perPod("1"))}, []string{"metrics.k8s.io"}},
		{"both", []*Load{load("cpu", perPod("1")), load("requests", perPod("1"))}, []string{custom.SchemeGroupVersion.Group, "metrics.k8s.io"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			play(t, test.loads, func(_ *sim.Simulation, _ *Server, config *rest.Config) {
				groups, err := discovery.NewDiscoveryClientForConfigOrDie(config).ServerGroups()
				if err != nil {
					t.Error(err)
					return
				}
				var found []string
				for _, group := range groups.Groups {
					if strings.HasSuffix(group.Name, "metrics.k8s.io") {
						found = append(found, group.Name)
					}
				}
				if strings.Join(found, " ") != strings.Join(test.want, " ") {
					t.Errorf("found %v, want %v", found, test.want)
				}
			})
		})
	}
}
