package informer

import (
	"fmt"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestPodsShareLabels: Pods share their labels if they have the same ones and the same namespace, and keep what they have.
func TestPodsShareLabels(t *testing.T) {
	shared := newSharing()
	made := func(namespace string, labels map[string]string) *corev1.Pod {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Labels: labels}}
		useAndCompare(t, shared, pod)
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
	if len(shared.labels) > sharedMax {
		t.Errorf("%d labels are remembered, at most %d should be", len(shared.labels), sharedMax)
	}
}

// TestPodsShareOwners: Pods share their owner if all fields of the references are equal, and keep what they have.
func TestPodsShareOwners(t *testing.T) {
	shared := newSharing()
	yes, no := true, false
	owner := metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-1", UID: "u1", Controller: &yes}
	made := func(owners ...metav1.OwnerReference) *corev1.Pod {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{OwnerReferences: owners}}
		useAndCompare(t, shared, pod)
		return pod
	}
	changed := func(change func(*metav1.OwnerReference)) metav1.OwnerReference {
		other := *owner.DeepCopy()
		change(&other)
		return other
	}
	first := made(owner)
	for i, c := range []struct {
		owners []metav1.OwnerReference
		want   bool
	}{
		{[]metav1.OwnerReference{changed(func(*metav1.OwnerReference) {})}, true},
		{[]metav1.OwnerReference{changed(func(o *metav1.OwnerReference) { o.UID = "u2" })}, false},
		{[]metav1.OwnerReference{owner, changed(func(o *metav1.OwnerReference) { o.UID = "u3" })}, false},
		{nil, false},
		{[]metav1.OwnerReference{changed(func(o *metav1.OwnerReference) { o.Controller = &no })}, false},
	} {
		pod := made(c.owners...)
		if got := len(pod.OwnerReferences) > 0 && &pod.OwnerReferences[0] == &first.OwnerReferences[0]; got != c.want {
			t.Errorf("case %d shares the owner of the first Pod: %v, want %v", i, got, c.want)
		}
	}
	for i := range 3 * sharedMax {
		made(changed(func(o *metav1.OwnerReference) { o.UID = types.UID(fmt.Sprint(i)) }))
	}
	if len(shared.owners) > sharedMax {
		t.Errorf("%d owners are remembered, at most %d should be", len(shared.owners), sharedMax)
	}
}

// TestPodsKeepTheirConditions: the names of conditions become constants, and others stay as they are.
func TestPodsKeepTheirConditions(t *testing.T) {
	useAndCompare(t, newSharing(), &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{
		{Type: "Ready", Status: "True"}, {Type: "PodScheduled", Status: "False"}, {Type: "example.com/gate", Status: "Unknown"}, {},
	}}})
}

// useAndCompare lets a Pod share what it has, which must not change it.
func useAndCompare(t *testing.T, shared *sharing, pod *corev1.Pod) {
	t.Helper()
	before := pod.DeepCopy()
	shared.use(pod)
	if !reflect.DeepEqual(pod, before) {
		t.Errorf("%v became %v", before, pod)
	}
}
