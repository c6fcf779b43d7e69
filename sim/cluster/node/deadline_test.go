package node

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim"
)

// TestDeadline gives a pod that runs a deadline, and then a shorter one, which ends it.
func TestDeadline(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		w.Engine.Call("test|rules", func() { k.rules = []Rule{{Ready: Delay{Min: time.Second, Max: time.Second}}} })
		pods := w.Client("test").CoreV1().Pods("default")
		_, err := pods.Create(context.Background(), &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "limited"},
			Spec:       corev1.PodSpec{NodeName: "n", Containers: []corev1.Container{{Name: "c", Image: "i"}}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		until(10*time.Second, w)
		for _, seconds := range []int{40, 20} {
			patch := fmt.Appendf(nil, `{"spec": {"activeDeadlineSeconds": %d}}`, seconds)
			if _, err := pods.Patch(context.Background(), "limited", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			at   time.Duration
			want string
		}{{19 * time.Second, "Running"}, {22 * time.Second, "Failed DeadlineExceeded"}} {
			until(c.at, w)
			object, _ := stored(w, podResource, "default", "limited")
			status := object.(*corev1.Pod).Status
			if got := strings.TrimSpace(string(status.Phase) + " " + status.Reason); got != c.want {
				t.Errorf("after %s it is %s, want %s", c.at, got, c.want)
			}
		}
	})
}
