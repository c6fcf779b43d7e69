package node

import (
	"fmt"
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
		node := found.(*corev1.Node)
		if info := node.Status.NodeInfo; info.KubeletVersion != "v1.2.3" || info.MachineID == "" || info.MachineID == info.BootID {
			t.Errorf("the node is %+v", info)
		}
		for _, condition := range node.Status.Conditions {
			if condition.Type == corev1.NodeReady && condition.Message != "kubelet is posting ready status" {
				t.Errorf("the node is Ready: %q", condition.Message)
			}
		}
		if images := node.Status.Images; len(images) != 1 || images[0].SizeBytes < 1<<20 || images[0].Names[1] != "docker.io/library/web:1" {
			t.Errorf("the images are %v", images)
		}
		found, _ = stored(w, podResource, "default", "q")
		status := found.(*corev1.Pod).Status
		container := status.ContainerStatuses[0]
		if !strings.HasPrefix(container.ContainerID, "kubestep://") || container.ImageID != node.Status.Images[0].Names[0] {
			t.Errorf("the container is %q, of %q", container.ContainerID, container.ImageID)
		}
		var conditions []corev1.PodConditionType
		for _, condition := range status.Conditions {
			conditions = append(conditions, condition.Type)
			if condition.ObservedGeneration != 1 || condition.Status != corev1.ConditionTrue {
				t.Errorf("the condition %+v", condition)
			}
		}
		if want := kubeletConditions[:len(kubeletConditions)-1]; !slices.Equal(conditions, want) || status.ObservedGeneration != 1 {
			t.Errorf("the conditions are %v, want %v, of generation %d", conditions, want, status.ObservedGeneration)
		}
		if got, want := eventsOf(w, "q"), []string{"Pulling 1", "Pulled 1", "Created 1", "Started 1"}; !slices.Equal(got, want) {
			t.Errorf("the Events are %v, want %v", got, want)
		}
		if got := eventsOf(w, "m"); len(got) != 6 || got[5] != "NodeReady 1" {
			t.Errorf("the Events of the node are %v", got)
		}
	})
}

// TestDetailOfCrashes: the Events of containers that crash again and again count, and those of an image that is there do not pull it.
func TestDetailOfCrashes(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		w.Engine.Call("test|detail", func() {
			k.Detail("v1.2.3")
			if err := k.AddNodes([]Spec{{Name: "m"}}, 0); err != nil {
				t.Error(err)
			}
			k.InjectImageFault("crash:*", CrashLoops, 0)
		})
		pods := w.Client("test").CoreV1().Pods("default")
		create := func(name, image string) {
			if _, err := pods.Create(t.Context(), &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: name},
				Spec:       corev1.PodSpec{NodeName: "m", Containers: []corev1.Container{{Name: "c", Image: image}}},
			}, metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
		}
		create("looping", "crash:1")
		create("first", "web:1")
		until(60*time.Second, w)
		// It starts, and again after 0, 10 and 20 seconds. Images that are there are not pulled.
		want := []string{"Pulling 1", "Pulled 1", "Created 4", "Started 4", "Pulled 3", "BackOff 3"}
		if got := eventsOf(w, "looping"); !slices.Equal(got, want) {
			t.Errorf("the Events are %v, want %v", got, want)
		}
		create("stopped", "web:1")
		until(70*time.Second, w)
		if err := pods.Delete(t.Context(), "stopped", metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
		until(80*time.Second, w)
		if got, want := eventsOf(w, "stopped"), []string{"Pulled 1", "Created 1", "Started 1", "Killing 1"}; !slices.Equal(got, want) {
			t.Errorf("the Events are %v, want %v", got, want)
		}
	})
}

// eventsOf are the reasons of the Events about an object, with their counts, in their order.
func eventsOf(w *sim.Simulation, name string) (reasons []string) {
	w.Engine.Call("look", func() {
		for _, object := range w.State.List(eventResource.GroupResource(), "default") {
			if event := object.(*corev1.Event); event.InvolvedObject.Name == name {
				reasons = append(reasons, fmt.Sprint(event.Reason, " ", event.Count))
			}
		}
	})
	return reasons
}
