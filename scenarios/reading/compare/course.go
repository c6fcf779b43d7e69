package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// Course is how a run went in time: when it settled, and when its faults acted.
type Course struct {
	names names
	// Settled is the time of the last change, and Last what changed then.
	Settled time.Duration
	Last    trace.Object
	// By is the actor that changed it.
	By string
	// asked is the time of the last step of the user.
	asked time.Duration
	// applied are the times of the last record of each fault, and acting are the times in which one acted. lost counts the
	// nodes that have not recovered.
	applied map[string]time.Duration
	acting  []span
	// delaying are the times of faults that delay a request or a watch event, by their records, until it arrives.
	delaying map[int64]time.Duration
	lost     int
	// attempts are those at each thing, by what it is, syncs are the things that syncs under way are about, by the record of their start,
	// and backOff is how long a controller waits after the last attempt that a fault made fail, 0 if that is not known.
	attempts map[string]attempts
	syncs    map[int64]string
	backOff  time.Duration
	// onsets are the times at which a fault may be the first reason for what follows.
	onsets []onset
	// waits are those of keys whose last attempt no fault made fail, without the short ones.
	waits []wait
	// autoscalers are those of the run.
	autoscalers map[trace.Object]*autoscaler
	// everLost means that there were such nodes.
	everLost bool
	// rejected means that a kubelet has rejected a Pod, and restarted that one has started again.
	rejected, restarted bool
	// collected means that garbage-collector-controller runs.
	collected bool
}

// span is a part of a run.
type span struct{ from, to time.Duration }

// Course returns the course of the run whose records these decisions are from; Add must see each record before it.
func (d *Decisions) Course() *Course {
	return &Course{
		names: d.names, applied: map[string]time.Duration{}, attempts: map[string]attempts{}, syncs: map[int64]string{},
		autoscalers: map[trace.Object]*autoscaler{}, delaying: map[int64]time.Duration{},
	}
}

// Add takes the next record.
func (c *Course) Add(record *trace.Record) {
	c.collected = c.collected || record.Actor == garbageCollector
	c.arrived(record)
	switch {
	case record.Fault != nil && !record.Fault.IsDrawn():
		c.fault(record)
	case record.Action != nil:
		c.asked = record.At
	case record.Sync != nil:
		c.sync(record)
	case record.Request != nil && !record.Background && len(record.Request.Writes) > 0:
		last := record.Request.Writes[len(record.Request.Writes)-1].Object
		if !untold[last.Resource] && !tells(record.Request) {
			c.Settled, c.Last, c.By = record.At, c.names.object(last), record.Actor
		}
		c.autoscale(record)
	}
}

// tells reports whether a request changes only the messages of conditions, which say in words what else is known: why a Pod has no node.
func tells(request *trace.Request) bool {
	for _, write := range request.Writes {
		if len(write.Changes) == 0 || slices.ContainsFunc(write.Changes, func(c diff.Change) bool {
			return !strings.HasPrefix(c.Path, "status.conditions[") || !strings.HasSuffix(c.Path, "].message")
		}) {
			return false
		}
	}
	return true
}

// retryGap is the longest time between two requests that a fault applies to for which it acts in between. The longest time between two of
// the 15 retries after which most controllers drop a key is 82 s. A controller that never drops a key may wait for longer: that is known
// only of keys that a sync has queued again.
const retryGap = 100 * time.Second

// garbageCollector is the actor that removes objects whose owner is gone.
const garbageCollector = "garbage-collector-controller"

// kubeletProcess begins the name of the process of a kubelet; see controllers.KubeletProcess.
const kubeletProcess = "kubelet-"

// fault notes a record of a fault. One that ends a fault counts from when the fault began.
func (c *Course) fault(record *trace.Record) {
	fault := record.Fault
	ends := fault.Effect == trace.EffectRelease || fault.Effect == trace.EffectRecover
	before, again := c.applied[fault.Rule]
	if again && (ends || record.At-before <= retryGap) {
		c.acting = append(c.acting, span{before, record.At})
	}
	if !ends {
		if len(c.applied) == 0 {
			c.began(record.At, "")
		}
		if !fault.OnlyDelays() {
			c.attempted(record)
		}
	}
	c.applied[fault.Rule] = record.At
	if fault.Has(trace.EffectDelay) {
		c.delaying[record.Seq] = record.At
	}
	c.rejected = c.rejected || fault.IsRejection()
	c.restarted = c.restarted || fault.Effect == trace.EffectRestart && strings.HasPrefix(record.Actor, kubeletProcess)
	switch {
	case fault.Resource != "nodes" || fault.Verb != "":
	case fault.Effect == trace.EffectRecover:
		c.lost--
	default:
		c.lost++
		c.everLost = true
	}
}

// arrived notes that what a fault delayed has arrived: the fault acted until now.
func (c *Course) arrived(record *trace.Record) {
	if from, delayed := c.delaying[record.FaultSeq]; delayed {
		c.acting = append(c.acting, span{from, record.At})
		delete(c.delaying, record.FaultSeq)
	}
}

// acted is for how long faults acted.
func (c *Course) acted() time.Duration { return total(c.acting) }

// total is how long the parts of a run are together.
func total(parts []span) time.Duration { return totalIn(span{0, math.MaxInt64}, parts) }

// totalIn is how long the parts of a run are together within one.
func totalIn(one span, parts []span) (length time.Duration) {
	parts = slices.Clone(parts)
	slices.SortFunc(parts, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	until := one.from
	for _, s := range parts {
		length += max(min(s.to, one.to)-max(s.from, until), 0)
		until = max(until, s.to)
	}
	return length
}

// lateAfter is by how much a run may settle later than without its faults, in addition to the time for which the faults
// act: retries take up to a minute where nothing is wrong.
const lateAfter = time.Minute

// IsFaulty reports whether a fault acted.
func (c *Course) IsFaulty() bool { return len(c.applied) > 0 }

// Lacks reports whether a node has not recovered from a fault.
func (c *Course) Lacks() bool { return c.lost > 0 }

// Rejected reports whether a kubelet has rejected a Pod because of a fault.
func (c *Course) Rejected() bool { return c.rejected }

// LostPods reports whether a fault has made Pods fail: a node was lost, if only for a while, or a kubelet has rejected a Pod.
func (c *Course) LostPods() bool { return c.everLost || c.rejected }

// RestartedKubelet reports whether a fault has made a kubelet start again, with its node or without it.
func (c *Course) RestartedKubelet() bool { return c.everLost || c.restarted }

// Late reports whether the run settled much later than the same run without its faults, and says by how much. Much
// later is later by more than the time for which the faults acted, and one minute and the back-off of the next retry, or twice the time
// that the other run needed after its last step, whichever is longer. The back-off of a key that fails without faults, too, is that of its
// last wait. An autoscaler that scaled up more may take its stabilization window to scale down. A fault that finds the run as it is
// without faults counts as the time at which the other run settled. A run in which a node does not recover is never late.
func (c *Course) Late(without *Course) (message string, late bool) {
	if !c.IsFaulty() || c.Lacks() {
		return "", false
	}
	from := span{0, without.Settled}
	for _, s := range c.onsets {
		if s.at > from.to && without.wasAt(s) && !c.isLate(without, from, s) {
			from = span{s.at, s.at}
		}
	}
	if !c.isLate(without, from, onset{at: math.MaxInt64, settled: c.Settled, backOff: c.backOff}) {
		return "", false
	}
	return fmt.Sprintf("it settled at %s, and without its faults at %s; the faults acted for %s. The last change was %s of %s",
		trace.Seconds(c.Settled), trace.Seconds(without.Settled), trace.Seconds(c.acted()), trace.ObjectName(c.Last), c.By), true
}

// isLate reports whether the run was late at a time. from is since when the faults count, and when the run would have settled without them.
func (c *Course) isLate(without *Course, from span, now onset) bool {
	patience := without.patience(now.backOff + c.lastWait(without, now.settled))
	return now.settled-from.to > totalIn(span{from.from, now.at}, c.acting)+c.scalesDown(without)+patience
}

// patience is by how much another run may settle later.
func (c *Course) patience(backOff time.Duration) time.Duration {
	return max(lateAfter+backOff, 2*max(c.Settled-c.asked, 0))
}

// LateInOrder reports whether the run settled much later than the same run with the default order of events, and says by how much: by more
// than a minute, or twice the time that the other run needed after its last step, whichever is longer.
func (c *Course) LateInOrder(straight *Course) (message string, late bool) {
	if c.Settled-straight.Settled <= straight.patience(0) {
		return "", false
	}
	return fmt.Sprintf("it settled at %s, and in the default order at %s. The last change was %s of %s",
		trace.Seconds(c.Settled), trace.Seconds(straight.Settled), trace.ObjectName(c.Last), c.By), true
}
