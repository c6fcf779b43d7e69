package recording

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// Bound is the range of Pods within which a rolling update keeps a Deployment.
type Bound struct {
	// Least is the minimum of available Pods, Most the maximum of all Pods.
	Least, Most int
	// Surge and Unavailable are maxSurge and maxUnavailable as written, followed by their values.
	Surge, Unavailable         string
	SurgePods, UnavailablePods int
}

// bound resolves maxSurge and maxUnavailable as the Deployment controller does: percentages of the replicas, the surge
// rounded up (25% of 10 is 3) and the unavailable rounded down (2). If both are zero, no step would be possible, so one
// Pod may be unavailable.
func bound(object map[string]any, replicas int) *Bound {
	surge, surgeText := scaled(field(object, "spec", "strategy", "rollingUpdate", "maxSurge"), replicas, true)
	unavailable, unavailableText := scaled(field(object, "spec", "strategy", "rollingUpdate", "maxUnavailable"), replicas, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	unavailable = min(unavailable, replicas)
	return &Bound{
		Least: replicas - unavailable, Most: replicas + surge, Surge: surgeText, Unavailable: unavailableText,
		SurgePods: surge, UnavailablePods: unavailable,
	}
}

func scaled(value any, total int, up bool) (n int, written string) {
	var of intstr.IntOrString
	switch v := value.(type) {
	case int64:
		of = intstr.FromInt32(int32(v))
	case string:
		of = intstr.FromString(v)
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(&of, total, up)
	if err != nil {
		return 0, of.String()
	}
	return n, of.String()
}

func (w *Workload) deployment(s *State, object map[string]any, seq int64, now time.Duration) {
	s.Strategy = text(object, "spec", "strategy", "type")
	s.Revision = text(object, "metadata", "annotations", "deployment.kubernetes.io/revision")
	s.Paused, _ = field(object, "spec", "paused").(bool)
	if s.Strategy == "RollingUpdate" {
		s.Bound = bound(object, s.Replicas)
	}
	for _, set := range w.life.owned.list {
		version := w.replay.ObjectAt(set.object, seq)
		if version == nil || !set.exists(seq) || outline.ControllerOf(version) != w.life.uid {
			continue
		}
		s.Groups = append(s.Groups, w.group(set, version, seq, now))
	}
	// The newest revision comes first, as the most interesting one.
	slices.SortStableFunc(s.Groups, func(a, b Group) int { return -cmp.Compare(revision(a), revision(b)) })
	if len(s.Groups) > 0 {
		s.Groups[0].New = true
		if len(s.Groups) == 1 {
			for i := range s.Groups[0].Cells {
				s.Groups[0].Cells[i].New = true
			}
		}
	}
}

// revision is a ReplicaSet's revision as a number. One without a revision is the newest.
func revision(g Group) int {
	n, err := strconv.Atoi(g.Revision)
	if err != nil {
		return 1 << 30
	}
	return n
}
