package compare

import (
	"bytes"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// autoscalers is the resource whose objects scale others.
const autoscalers = "horizontalpodautoscalers.autoscaling"

// scaleDownStabilized is the reason of the condition AbleToScale of an autoscaler that waits for the stabilization window of its scale-down,
// five minutes by default: stabilizeRecommendation in k8s.io/kubernetes/pkg/controller/podautoscaler/horizontal.go.
var scaleDownStabilized = []byte(`"ScaleDownStabilized"`)

// stabilize notes when an autoscaler begins to wait for its stabilization window, and when it ends to. A fault that takes Pods away can make it
// scale up, and the way back takes this time.
func (c *Course) stabilize(record *trace.Record) {
	for _, write := range record.Request.Writes {
		if write.Resource != autoscalers {
			continue
		}
		for _, change := range write.Changes {
			if !strings.HasPrefix(change.Path, "status.conditions") {
				continue
			}
			since, waits := c.stabilizing[write.Object]
			switch begins := bytes.Contains(change.New, scaleDownStabilized); {
			case begins && !waits:
				c.stabilizing[write.Object] = record.At
			case !begins && waits && bytes.Contains(change.Old, scaleDownStabilized):
				c.windows = append(c.windows, span{since, record.At})
				delete(c.stabilizing, write.Object)
			}
		}
	}
}
