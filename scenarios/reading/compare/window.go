package compare

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// hpa is the resource whose objects scale others.
const hpa = "horizontalpodautoscalers.autoscaling"

// scaleDownStabilized is the reason of the condition AbleToScale of an autoscaler that waits for the stabilization window of its
// scale-down, five minutes by default: stabilizeRecommendation in k8s.io/kubernetes/pkg/controller/podautoscaler/horizontal.go.
var scaleDownStabilized = []byte(`"ScaleDownStabilized"`)

// autoscaler is what is known of an autoscaler.
type autoscaler struct {
	// most is how many replicas it wanted at most.
	most int
	// waits means that it waits for its stabilization window, since a time, and windows are the times in which it did.
	waits   bool
	since   time.Duration
	windows []span
}

// autoscale notes what a request says of autoscalers.
func (c *Course) autoscale(record *trace.Record) {
	for _, write := range record.Request.Writes {
		if write.Resource != hpa {
			continue
		}
		a := c.autoscalers[write.Object]
		if a == nil {
			a = &autoscaler{}
			c.autoscalers[write.Object] = a
		}
		for _, change := range write.Changes {
			a.note(record.At, change)
		}
	}
}

func (a *autoscaler) note(at time.Duration, change diff.Change) {
	if change.Path == "status.desiredReplicas" {
		replicas, _ := strconv.Atoi(string(change.New))
		a.most = max(a.most, replicas)
	}
	if !strings.HasPrefix(change.Path, "status.conditions") {
		return
	}
	switch begins := bytes.Contains(change.New, scaleDownStabilized); {
	case begins && !a.waits:
		a.waits, a.since = true, at
	case !begins && a.waits && bytes.Contains(change.Old, scaleDownStabilized):
		a.waits, a.windows = false, append(a.windows, span{a.since, at})
	}
}

// scalesDown is for how much longer than in another run autoscalers waited for their stabilization windows that scaled up more than there.
// A fault that takes Pods away can make one scale up, and the way back takes this time.
func (c *Course) scalesDown(other *Course) time.Duration {
	var here, there []span
	for object, a := range c.autoscalers {
		without := other.autoscalers[object]
		if without != nil && a.most > without.most {
			here, there = append(here, a.windows...), append(there, without.windows...)
		}
	}
	return max(total(here)-total(there), 0)
}
