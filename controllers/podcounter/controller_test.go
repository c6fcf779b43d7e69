package podcounter

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
)

// cluster runs the controller on client-go's fake clientset and own informers, without kubestep, and calls
// user in it.
func cluster(t *testing.T, user func(ctx context.Context, client *fake.Clientset)) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset(
			&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "control", Labels: map[string]string{controlPlane: ""}}},
			&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "worker"}},
		)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- Run(ctx, client, Options{}) }()
		time.Sleep(time.Second)
		user(ctx, client)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func createPod(t *testing.T, client kubernetes.Interface, name string) {
	t.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}}
	// The fake clientset gives no uids.
	pod.UID = types.UID("uid of " + name)
	if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func wantLabel(t *testing.T, client kubernetes.Interface, want string) {
	t.Helper()
	time.Sleep(time.Second)
	for name, want := range map[string]string{"control": want, "worker": ""} {
		node, err := client.CoreV1().Nodes().Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := node.Labels[Label]; got != want {
			t.Errorf("node %s: label %q, want %q", name, got, want)
		}
	}
}

func TestTheLabelFollowsTheNumberOfPods(t *testing.T) {
	cluster(t, func(ctx context.Context, client *fake.Clientset) {
		wantLabel(t, client, "0")
		for n := range 3 {
			createPod(t, client, fmt.Sprint("web-", n))
		}
		wantLabel(t, client, "3")
		if err := client.CoreV1().Pods("default").Delete(ctx, "web-1", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		wantLabel(t, client, "2")
	})
}

func TestALabelThatSomebodyChangedIsPutRight(t *testing.T) {
	cluster(t, func(ctx context.Context, client *fake.Clientset) {
		node, err := client.CoreV1().Nodes().Get(ctx, "control", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		node.Labels[Label] = "1000"
		if _, err := client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		wantLabel(t, client, "0")
	})
}

// TestEachPodHasOneEvent also changes a pod.
func TestEachPodHasOneEvent(t *testing.T) {
	cluster(t, func(ctx context.Context, client *fake.Clientset) {
		createPod(t, client, "a")
		createPod(t, client, "b")
		time.Sleep(time.Second)
		pod, err := client.CoreV1().Pods("default").Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		pod.Labels = map[string]string{"changed": "yes"}
		if _, err := client.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		events, err := client.CoreV1().Events("default").List(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var about []string
		for _, event := range events.Items {
			about = append(about, fmt.Sprintf("%s %s x%d", event.InvolvedObject.Name, event.Reason, event.Count))
		}
		if got := strings.Join(about, ", "); got != "a Counted x1, b Counted x1" {
			t.Errorf("events: %s", got)
		}
	})
}
