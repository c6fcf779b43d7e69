package simtest_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim/simtest"
)

// TestOnAStoreWithObjects starts a control plane on the objects of an earlier one: a Service keeps its uid, and the
// Service kubernetes is the same, too.
func TestOnAStoreWithObjects(t *testing.T) {
	var kept []runtime.Object
	bubble(t, simtest.Options{}, func(t *testing.T, _ *simtest.Cluster, client kubernetes.Interface) {
		service := &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}},
		}
		if _, err := client.CoreV1().Services("default").Create(t.Context(), service, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		services, err := client.CoreV1().Services("default").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for n := range services.Items {
			kept = append(kept, &services.Items[n])
		}
	})
	if len(kept) != 2 {
		t.Fatalf("%d Services; want kubernetes and web", len(kept))
	}
	bubble(t, simtest.Options{Objects: kept}, func(t *testing.T, _ *simtest.Cluster, client kubernetes.Interface) {
		for _, object := range kept {
			before := object.(*corev1.Service)
			after, err := client.CoreV1().Services("default").Get(t.Context(), before.Name, metav1.GetOptions{})
			if err != nil || after.UID != before.UID || after.Spec.ClusterIP != before.Spec.ClusterIP {
				t.Errorf("Service %s: uid %s, address %s, %v", before.Name, after.UID, after.Spec.ClusterIP, err)
			}
		}
	})
}
