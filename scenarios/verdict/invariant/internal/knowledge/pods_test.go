package knowledge

import (
	"fmt"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// podOf is a Pod of a Job.
func podOf(name, owner string) *corev1.Pod {
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: owner, UID: types.UID(owner)}}
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: types.UID(name),
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job"))},
	}}
}

// TestPods follows a Pod that is created at revision 10, runs at 20 and is gone at 30, and asks what caches had of it.
func TestPods(t *testing.T) {
	pods := NewPods()
	pod := podOf("a", "sum")
	pods.Change(memdb.OpCreate, 10, pod)
	pod = pod.DeepCopy()
	pod.Status.Phase = corev1.PodRunning
	pods.Change(memdb.OpUpdate, 20, pod)
	pods.Change(memdb.OpDelete, 30, pod)
	if of := pods.Of("sum"); len(of) != 1 || of[0] != pods.Get("a") {
		t.Fatalf("the Pods of the Job: %v", of)
	}
	exists := func(v *Version) bool { return v.Exists }
	runs := func(v *Version) bool { return v.Phase == corev1.PodRunning }
	for _, test := range []struct {
		span         Span
		exists, runs bool
	}{
		{Span{5, 5}, false, false},
		{Span{5, 15}, false, false},
		{Span{10, 10}, true, false},
		{Span{15, 25}, true, false},
		{Span{20, 25}, true, true},
		{Span{25, 30}, false, false},
	} {
		a := pods.Get("a")
		if a.Was(test.span, exists) != test.exists || a.Was(test.span, runs) != test.runs {
			t.Errorf("%v: exists %v, runs %v", test.span, a.Was(test.span, exists), a.Was(test.span, runs))
		}
	}
	if rv, _ := pods.Get("a").First(runs); rv != 20 {
		t.Errorf("it runs from %d on", rv)
	}
}

// TestPodsAreForgotten deletes more Pods than are remembered.
func TestPodsAreForgotten(t *testing.T) {
	pods := NewPods()
	for i := range remembered + 1 {
		pod := podOf(fmt.Sprint(i), "sum")
		pods.Change(memdb.OpCreate, uint64(2*i+1), pod)
		pods.Change(memdb.OpDelete, uint64(2*i+2), pod)
	}
	if of := pods.Of("sum"); len(of) != remembered || pods.Get("0") != nil {
		t.Errorf("%d Pods are known", len(of))
	}
	if pods.Know(Span{1, 1}) || !pods.Know(Span{2, 2}) || pods.Forgotten() != 2 {
		t.Errorf("forgotten up to %d", pods.Forgotten())
	}
}
