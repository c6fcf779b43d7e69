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

// TestDelaysTellStatesApart: after a conflict, a Deployment waits in its queue for 5 milliseconds, and for its deadline, without one, for
// minutes. What asked for the addition is known, and how often the rate limiter has been asked.
func TestDelaysTellStatesApart(t *testing.T) {
	const deadline, conflict = "enqueueAfter", "handleErr"
	for _, test := range []struct {
		name       string
		one, other []string
		same       bool
	}{
		{"a deadline and a conflict", []string{deadline}, []string{conflict}, false},
		{"a conflict and two", []string{conflict}, []string{conflict, conflict}, false},
		{"one deadline and two at the same time", []string{deadline}, []string{deadline, deadline}, true},
		{"a conflict, and one that the queue has forgotten before", []string{conflict, "succeeds", conflict}, []string{conflict}, true},
		{"a conflict that the queue has forgotten, and one that it has not", []string{conflict, "succeeds"}, []string{conflict}, false},
		{"an addition that is over", []string{deadline, "is added"}, nil, true},
	} {
		one, other := stateAfter(test.one), stateAfter(test.other)
		if (one == other) != test.same {
			t.Errorf("%s:\n%s%s", test.name, one, other)
		}
	}
}

// stateAfter is the state after some events of the syncs of a key.
func stateAfter(events []string) string {
	d := newDelays()
	for _, event := range events {
		switch event {
		case "succeeds":
			d.ends("default/web", false, false, 0)
		case "is added":
			d.ends("default/web", false, true, 1)
		default:
			d.note(delay{key: "default/web", by: event}, event == "handleErr")
		}
	}
	return strings.Join(d.text(), "\n")
}
