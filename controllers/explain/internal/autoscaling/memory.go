package autoscaling

import (
	"net/http"
	"slices"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
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
func (a *autoscaler) recommendations(window time.Duration) []recommendation {
	var kept []slot
	history, complete := a.history(window)
	for i, earlier := range slices.Backward(history) {
		if complete && i == len(history)-1 {
			kept = append(kept, slot{at: earlier.scale.at, first: earlier})
		}
		if earlier.isOutside() || earlier.hasFailed() {
			continue
		}
		kept = earlier.remember(kept)
	}
	if complete && len(history) == 0 {
		return []recommendation{{a.scale.replicas, a.scale.at, true}}
	}
	var all []recommendation
	for _, k := range kept {
		if k.at < a.at-window {
			continue
		}
		if k.first != nil {
			all = append(all, recommendation{k.first.scale.replicas, k.at, true})
		} else if wanted, ok := k.of.recommend(); ok {
			all = append(all, recommendation{replicas: max(0, wanted.replicas), at: k.at})
		}
	}
	return all
}

// slot is a place for a recommendation in the controller's list. Its value is computed only if it counts.
type slot struct {
	at time.Duration
	// of is the sync that computed it, or first the one in whose place the size of the target was taken.
	of, first *autoscaler
}

// history are the earlier syncs that got a scale, the newest first, as far as they matter: a recommendation that was too old for
// a shorter window at its time may be replaced although it is young enough for the window of now. They are complete if the last one is
// the first that the controller remembers.
func (a *autoscaler) history(window time.Duration) (all []*autoscaler, complete bool) {
	from := a.at - window
	for _, v := range a.Rec.Versions(trace.Object{Resource: autoscalers, Namespace: a.Namespace, Name: a.Name}) {
		for _, w := range a.Rec.Record(v.Seq).Request.Writes {
			for _, change := range w.Changes {
				if strings.HasPrefix(change.Path, "spec.behavior") && a.Rec.At(v.Seq) >= from {
					from = 0
				}
			}
		}
	}
	for before := range a.Earlier() {
		earlier, found := a.earlier(before)
		switch {
		case !found:
			return all, true
		case before.End != nil && before.End.At < from:
			return all, false
		case earlier != nil:
			all = append(all, earlier)
		}
	}
	return all, true
}

// hasFailed reports whether the metrics of an earlier sync had no result.
func (a *autoscaler) hasFailed() bool {
	return a.End == nil || strings.Contains(a.End.Sync.Error, "failed to compute desired number of replicas")
}

// remember puts the recommendation of a sync into the last slot that is too old for its windows, or into a new one.
func (a *autoscaler) remember(kept []slot) []slot {
	window := a.downWindow()
	if b := a.hpa.Spec.Behavior; b != nil {
		window = max(window, time.Duration(*b.ScaleUp.StabilizationWindowSeconds)*time.Second)
	}
	for i := range a.hpa.Spec.Metrics {
		if n := a.request(i); n >= 0 {
			a.asked = n + 1
			a.read, a.at = a.arrived(n)
		}
	}
	next := slot{at: a.at, of: a.discarding(a.Sync, a.hpa)}
	next.of.target()
	for i, k := range slices.Backward(kept) {
		if k.at < a.at-window {
			kept[i] = next
			return kept
		}
	}
	return append(kept, next)
}

// downWindow is the stabilization window for scaling down.
func (a *autoscaler) downWindow() time.Duration {
	if b := a.hpa.Spec.Behavior; b != nil && b.ScaleDown.StabilizationWindowSeconds != nil {
		return time.Duration(*b.ScaleDown.StabilizationWindowSeconds) * time.Second
	}
	return flags.HorizontalPodAutoscalerDownscaleStabilizationWindow.Duration
}

// earlier is a sync before this one, nil if it did not get a scale. It is not found if there was no autoscaler.
func (a *autoscaler) earlier(before observed.Sync) (sync *autoscaler, found bool) {
	hpa := &autoscalingv2.HorizontalPodAutoscaler{}
	if found, err := before.Get(autoscalers, before.Name, hpa); !found || err != nil {
		return nil, false
	}
	sync = a.discarding(before, hpa)
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
