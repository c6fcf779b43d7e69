package rollout

import (
	"fmt"
	"strconv"
	"time"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Rollout is a recording with the syncs of the Deployment controller in it.
type Rollout struct {
	*recording.Recording
	// syncs are the starts of the Deployment controller's syncs, in order.
	syncs []int64
}

// deployments is the resource as the trace names it.
const deployments = "deployments.apps"

// New returns the Rollout of a recording.
func New(rec *recording.Recording) *Rollout {
	x := &Rollout{Recording: rec}
	for record := range rec.Of(trace.KindSync) {
		name, _ := trace.SplitActor(record.Actor)
		if record.Sync.Phase == trace.PhaseStart && name == names.DeploymentController {
			x.syncs = append(x.syncs, record.Seq)
		}
	}
	return x
}

// explanations are those of the syncs that changed something, or of all of them.
func (x *Rollout) explanations(all bool) []arithmetic.Explanation {
	list := []arithmetic.Explanation{}
	for _, seq := range x.syncs {
		if e := explain.At(x.Recording, seq); e != nil && (all || len(e.Effects) > 0) {
			list = append(list, *e)
		}
	}
	return list
}

// tryTable is the hint where a sync is not found.
const tryTable = "--sync with a TIME or a RECORD of the table"

// find explains the sync of a time, or of a record: its start, its end, or one of its requests.
func (x *Rollout) find(sync string) (*arithmetic.Explanation, error) {
	if _, err := time.ParseDuration(sync); err == nil && sync != "0" {
		return x.findTime(sync)
	}
	seq, err := strconv.ParseInt(sync, 10, 64)
	if err != nil {
		return nil, source.Problem(tryTable, "--sync %q is not a record or a time", sync)
	}
	if e := explain.At(x.Recording, seq); e != nil {
		return e, nil
	}
	message := fmt.Sprintf("there is no record %d; the last one is %d", seq, x.Len())
	if record := x.Record(seq); record != nil {
		message = fmt.Sprintf("record %d is not a sync of a controller that is explained; its kind is %q", seq, record.Kind)
	}
	return nil, source.Problem(tryTable, "%s", message)
}

// findTime takes the first of the syncs that began at a time, in the digits of the table, and rather one that
// changed something.
func (x *Rollout) findTime(at string) (*arithmetic.Explanation, error) {
	var found *arithmetic.Explanation
	for _, e := range x.explanations(true) {
		if trace.Seconds(e.At) == at && (found == nil || len(found.Effects) == 0 && len(e.Effects) > 0) {
			found = &e
		}
	}
	if found == nil {
		return nil, source.Problem(tryTable, "no sync of the Deployment controller started at %s", at)
	}
	return found, nil
}
