package autoscaling

import (
	"net/http"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/controllers/explain/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// recommendation is a size that the metrics asked for at a time, before limits and windows.
type recommendation struct {
	replicas int32
	at       time.Duration
	// first means that it is no recommendation, but the size of the target at the first sync.
	first bool
}

// String is like "that of 600.230s".
func (r recommendation) String() string {
	if r.first {
		return "the size at its first sync, " + trace.Seconds(r.at)
	}
	return "that of " + trace.Seconds(r.at)
}

// recommendations are those that the controller remembers from earlier syncs of this process, as far as they are younger than a window.
// The first sync begins with the size of the target. A restart forgets all, and so does the deletion of the autoscaler.
func (a *autoscaler) recommendations(window time.Duration) (all []recommendation) {
	first := a
	for before := range a.Earlier() {
		earlier, found := a.earlier(before)
		if !found {
			break
		}
		if earlier == nil {
			continue
		}
		first = earlier
		if before.End != nil && before.End.At < a.at-window {
			return all
		}
		if earlier.outside() {
			continue
		}
		if wanted, ok := earlier.recommend(); ok {
			all = append(all, recommendation{replicas: max(0, wanted.replicas), at: earlier.at})
		}
	}
	return append(all, recommendation{first.scale.replicas, first.scale.at, true})
}

// earlier is a sync before this one, nil if it did not get a scale. It is not found if there was no autoscaler.
func (a *autoscaler) earlier(before observed.Sync) (sync *autoscaler, found bool) {
	hpa := &autoscalingv2.HorizontalPodAutoscaler{}
	if found, err := before.Get(autoscalers, before.Name, hpa); !found || err != nil {
		return nil, false
	}
	sync = discarding(before, hpa)
	if !sync.target() || sync.scale == nil {
		return nil, true
	}
	return sync, true
}

// changed counts the replicas that this process has added and removed since the beginning of a period. It remembers them only
// if the autoscaler had a behavior at that time (storeScaleEvent).
func (a *autoscaler) changed(period time.Duration) (added, removed int32) {
	for before := range a.Earlier() {
		earlier, found := a.earlier(before)
		if !found || before.End != nil && before.End.At <= a.at-period {
			break
		}
		if earlier == nil || earlier.hpa.Spec.Behavior == nil {
			continue
		}
		for n, r := range before.Requests {
			if r.Request.Verb != "update" || r.Request.Subresource != "scale" || r.Request.Code >= http.StatusMultipleChoices {
				continue
			}
			size, _, _ := unstructured.NestedInt64(a.Rec.Replay.ObjectAt(r.Request.Object, r.Seq), "spec", "replicas")
			if _, at := earlier.arrived(n); at > a.at-period {
				change := int32(size) - earlier.scale.replicas
				added, removed = added+max(0, change), removed+max(0, -change)
			}
		}
	}
	return added, removed
}
