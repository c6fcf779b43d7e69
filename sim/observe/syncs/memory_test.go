package syncs

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/engine/activity"
)

// TestKeysThatWaitTellStatesApart: in one state a ReplicaSet waits in the queue, and in the other one another ReplicaSet. Two Pods of one
// ReplicaSet add the same key.
func TestKeysThatWaitTellStatesApart(t *testing.T) {
	state := func(names ...string) string {
		o := NewObserver(nil, &activity.Registry{}, func() time.Duration { return 0 })
		o.KeepDelays = true
		q := o.queue("replicaset", true)
		q.actor = "replicaset-controller"
		for _, name := range names {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
			if set, _, owned := strings.Cut(name, "-"); owned {
				isController := true
				pod.OwnerReferences = []metav1.OwnerReference{{Kind: "ReplicaSet", Name: set, Controller: &isController}}
			}
			o.Delivered(1, pod)
			q.add(0, &entry{why: o.whyAdded(q, nil)})
		}
		var text strings.Builder
		o.WriteState(&text)
		return text.String()
	}
	for _, test := range []struct {
		one, other []string
		same       bool
	}{
		{[]string{"old-a"}, []string{"new-a"}, false},
		{[]string{"old-a"}, []string{"old-b"}, true},
		{[]string{"old-a", "new-a"}, []string{"new-a", "old-a"}, false},
		{[]string{"lone"}, []string{"other"}, false},
	} {
		if one, other := state(test.one...), state(test.other...); (one == other) != test.same {
			t.Errorf("%v and %v:\n%s%s", test.one, test.other, one, other)
		}
	}
}
