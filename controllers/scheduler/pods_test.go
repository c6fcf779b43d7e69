package scheduler

import (
	"fmt"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestPodsShareLabels: Pods share their labels if they have the same ones and the same namespace, and keep what they have.
func TestPodsShareLabels(t *testing.T) {
	shared := sharedLabels{}
	made := func(namespace string, labels map[string]string) *corev1.Pod {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Labels: labels}}
		before := pod.DeepCopy()
		shared.use(pod)
		if !reflect.DeepEqual(pod, before) {
			t.Errorf("%v became %v", before, pod)
		}
		return pod
	}
	first := made("default", map[string]string{"app": "web", "tier": "front"})
	for _, c := range []struct {
		namespace string
		labels    map[string]string
		want      bool
	}{
		{"default", map[string]string{"tier": "front", "app": "web"}, true},
		{"other", map[string]string{"app": "web", "tier": "front"}, false},
		{"default", map[string]string{"app": "web"}, false},
		{"default", map[string]string{"app": "web", "tier": "back"}, false},
		{"default", nil, false},
	} {
		pod := made(c.namespace, c.labels)
		if got := reflect.ValueOf(pod.Labels).Pointer() == reflect.ValueOf(first.Labels).Pointer(); got != c.want {
			t.Errorf("%s %v shares the labels of the first Pod: %v, want %v", c.namespace, c.labels, got, c.want)
		}
	}
	for i := range 3 * sharedMax {
		made("default", map[string]string{"statefulset.kubernetes.io/pod-name": fmt.Sprintf("web-%d", i)})
	}
	if len(shared) > sharedMax {
		t.Errorf("%d labels are remembered, at most %d should be", len(shared), sharedMax)
	}
}
