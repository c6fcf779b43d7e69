package sim

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
)

// TestUIDsAreNotTakenTwice restores an object of a run into another run with the same seed, which draws the same uids: no new object gets
// that of the restored one.
func TestUIDsAreNotTakenTwice(t *testing.T) {
	uidOf := func(taken types.UID) (uid types.UID) {
		begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		err := engine.Bubble(begin, func() {
			s, err := New(Options{Seed: 1})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.End()
			if taken != "" {
				old := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "old", Namespace: "default", UID: taken}}
				req := apiserver.Request{Resource: corev1.SchemeGroupVersion.WithResource("configmaps"), Namespace: "default", Name: "old", Object: old}
				if err := s.Restore(req); err != nil {
					t.Error(err)
				}
			}
			s.Go("test", func(ctx context.Context) {
				made, err := s.Client("test").CoreV1().ConfigMaps("default").Create(ctx,
					&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "new"}}, metav1.CreateOptions{})
				if err != nil {
					t.Error(err)
					return
				}
				uid = made.UID
			})
			s.Engine.Run(10 * time.Second)
		})
		if err != nil {
			t.Error(err)
		}
		return uid
	}
	first := uidOf("")
	if again := uidOf(""); first == "" || first != again {
		t.Fatalf("the seed draws %s and %s", first, again)
	}
	if next := uidOf(first); next == first || next == "" {
		t.Errorf("a new object has the uid %s, which is that of a restored one", next)
	}
}
