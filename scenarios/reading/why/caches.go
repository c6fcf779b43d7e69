package why

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// usualLag is the age from which a change that an informer has not received is worth telling, if no fault holds it. Watches are
// faster.
const usualLag = time.Second

// staleCaches says which caches that an actor reads have not received changes that are old.
func (i *Instant) staleCaches(actor string, resources []string) []string {
	var texts []string
	for _, resource := range resources {
		informer := i.rec.Caches.Read(actor, resource)
		if informer == nil {
			continue
		}
		plural, _, _ := strings.Cut(resource, ".")
		missed := i.rec.StreamAt(informer, i.seq).UnderWay
		if len(missed) == 0 {
			continue
		}
		age, rule := i.at-i.rec.At(missed[0]), i.holding(informer.Actor, resource)
		if age < usualLag && rule == "" {
			continue
		}
		text := fmt.Sprintf("its cache of %s has been stale since %s: %s missing, the oldest %s old", plural,
			trace.Seconds(i.rec.At(missed[0])), trace.Count(len(missed), "change"), recording.Short(age))
		if rule != "" {
			text += " (fault " + rule + ")"
		}
		texts = append(texts, text)
	}
	return texts
}

// holding is the rule that holds the watch events of an informer; empty if there is none.
func (i *Instant) holding(informer, resource string) string {
	return i.lastHold(func(record *trace.Record) bool {
		return record.Actor == informer && record.Fault.Resource == resource && record.Cause == 0
	})
}

// heldRequest is the rule that holds a request of a sync, and the request; empty if there is none.
func (i *Instant) heldRequest(start int64) (rule, request string) {
	rule = i.lastHold(func(record *trace.Record) bool {
		if record.Cause == start {
			request = record.Fault.Verb + " " + trace.ObjectName(record.Fault.Object)
		}
		return record.Cause == start
	})
	return rule, request
}

// lastHold finds the last hold that matches, unless it has been released.
func (i *Instant) lastHold(matches func(*trace.Record) bool) string {
	faults := i.rec.OfKind(trace.KindFault)
	released := map[string]bool{}
	for _, seq := range slices.Backward(faults[:firstAfter(faults, i.seq)]) {
		record := i.rec.Record(seq)
		switch {
		case record.Fault.Effect == trace.EffectRelease:
			released[record.Fault.Rule] = true
		case record.Fault.Has(trace.EffectHold) && !released[record.Fault.Rule] && matches(record):
			return record.Fault.Rule
		}
	}
	return ""
}
