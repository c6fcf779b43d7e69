package expr

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/trace"
)

// bigWorld has one Deployment, 1,000 ready Pods and a trace of 100,000 records.
func bigWorld(t testing.TB) *world {
	t.Helper()
	w := newWorld()
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	deployment.Status.AvailableReplicas = 1000
	if err := w.put(deployment); err != nil {
		t.Fatal(err)
	}
	pods := map[string]runtime.Object{}
	for i := range 1000 {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("web-%03d", i), Namespace: defaultNamespace, Labels: map[string]string{"app": "web", "pod-template-hash": "5d9f"},
		}}
		pod.Spec.NodeName = fmt.Sprintf("node-%d", i%50)
		pod.Status.Phase = corev1.PodRunning
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		pods[defaultNamespace+"/"+pod.Name] = pod
	}
	w.objects[schema.GroupResource{Resource: "pods"}] = pods
	w.sort(schema.GroupResource{Resource: "pods"})
	for i := range 100_000 {
		w.records = append(w.records, requestRecord(i))
	}
	return w
}

func requestRecord(i int) *trace.Record {
	return &trace.Record{Seq: int64(i + 1), Kind: trace.KindRequest, Actor: "kubelet", Request: &trace.Request{
		Verb: "patch", Object: trace.Object{Resource: "pods", Namespace: defaultNamespace, Name: "web-000"}, Subresource: "status", Code: 200,
	}}
}

// BenchmarkEval is what an always check costs after each write.
func BenchmarkEval(b *testing.B) {
	w := bigWorld(b)
	env := testEnv(b)
	for _, text := range []string{
		"deployment('web').status.availableReplicas >= 8",
		"now < duration('10s')",
		"get('deployment/web').status.availableReplicas >= 8",
		"size(pods('app=web')) <= 1300",
		"pods('app=web').all(p, ready(p))",
		"pods('app=web').all(p, p.status.phase == 'Running')",
		"size(requests('deployment-controller', 'update')) == 0",
	} {
		b.Run(text, func(b *testing.B) {
			c := mustCompile(b, env, text)
			b.ReportAllocs()
			for range b.N {
				if result, err := c.Eval(w); err != nil || !result.True {
					b.Fatalf("%v, %v", result.True, err)
				}
			}
		})
	}
}

// BenchmarkEvalGrowingTrace reads one more record each time.
func BenchmarkEvalGrowingTrace(b *testing.B) {
	w := bigWorld(b)
	c := mustCompile(b, testEnv(b), "size(requests('kubelet', 'patch')) > 10")
	if _, err := c.Eval(w); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for range b.N {
		w.records = append(w.records, requestRecord(len(w.records)))
		if _, err := c.Eval(w); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	env := testEnv(b)
	for range b.N {
		mustCompile(b, env, "deployment('web').status.availableReplicas >= 8 && size(pods('app=web')) <= 13")
	}
}

func BenchmarkNewEnv(b *testing.B) {
	for range b.N {
		testEnv(b)
	}
}
