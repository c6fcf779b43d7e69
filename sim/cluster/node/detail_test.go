package node

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
)

// TestDetail: kubelets with details name the version of a node and the ids of a container, and record Events about it, in their order.
func TestDetail(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		w.Engine.Call("test|detail", func() {
			k.Detail("v1.2.3")
			if err := k.AddNodes([]Spec{{Name: "m"}}, 0); err != nil {
				t.Error(err)
			}
		})
		_, err := w.Client("test").CoreV1().Pods("default").Create(t.Context(), &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "q"},
			Spec:       corev1.PodSpec{NodeName: "m", Containers: []corev1.Container{{Name: "c", Image: "web:1"}}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Error(err)
		}
		until(20*time.Second, w)
		found, _ := stored(w, nodeResource, "", "m")
		if info := found.(*corev1.Node).Status.NodeInfo; info.KubeletVersion != "v1.2.3" || info.MachineID == "" || info.MachineID == info.BootID {
			t.Errorf("the node is %+v", info)
		}
		found, _ = stored(w, podResource, "default", "q")
		status := found.(*corev1.Pod).Status.ContainerStatuses[0]
		if !strings.HasPrefix(status.ContainerID, "kubestep://") || !strings.HasPrefix(status.ImageID, "web:1@sha256:") {
			t.Errorf("the container is %q, of %q", status.ContainerID, status.ImageID)
		}
		var reasons []string
		for _, object := range w.State.List(eventResource.GroupResource(), "default") {
			if event := object.(*corev1.Event); event.InvolvedObject.Name == "q" {
				reasons = append(reasons, event.Reason)
			}
		}
		if want := []string{"Pulled", "Created", "Started"}; !slices.Equal(reasons, want) {
			t.Errorf("the Events are %v, want %v", reasons, want)
		}
	})
}
