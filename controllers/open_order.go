package controllers

import (
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// OpenOrder returns the controllers, sorted, whose requests in these records do not depend only on the seed if the run was
// one of the stock build.
func OpenOrder(records []*trace.Record) []string {
	var open []string
	for name, of := range properties {
		if of.open != nil && of.open(records) {
			open = append(open, name)
		}
	}
	for _, names := range []func(run) []string{run.resyncs, run.combinesAgain, run.lostLeases} {
		open = append(open, names(records)...)
	}
	slices.Sort(open)
	return slices.Compact(open)
}

// resyncs names the controllers that found several keys in a resync: informers replay their caches in the order of
// a map (ListKeys of threadSafeMap in client-go's tools/cache/thread_safe_store.go). What a resync enqueues has no
// cause, as nobody wrote anything.
func (r run) resyncs() []string {
	var found []string
	last := map[string]time.Duration{}
	for _, record := range r {
		if record.Kind != trace.KindEnqueue || record.Cause != 0 || record.At < resyncPeriodMin || record.Enqueue.Event != "" {
			continue
		}
		if at, again := last[record.Actor]; again && at == record.At {
			found = append(found, controllerOf(record))
		}
		last[record.Actor] = record.At
	}
	return found
}

// combinesAgain names the controllers that, after ten different Events of one reason about one object, repeat a message a second
// time. From the tenth on client-go forgets any one of the messages for each new one (PopAny in EventAggregate), so that
// it is undefined whether a repeated message is one of ten.
func (r run) combinesAgain() []string {
	type similar struct {
		actor, kind, reason string
		regarding           trace.Object
	}
	type repeats struct {
		messages map[string]bool
		many     bool
	}
	var found []string
	all := map[similar]*repeats{}
	for _, record := range r {
		if record.Event == nil {
			continue
		}
		key := similar{record.Actor, record.Event.Type, record.Event.Reason, record.Event.Regarding}
		if all[key] == nil {
			all[key] = &repeats{messages: map[string]bool{}}
		}
		before, message := all[key], strings.TrimPrefix(record.Event.Message, combined)
		if before.many && before.messages[message] {
			found = append(found, controllerOf(record))
		}
		before.messages[message] = true
		before.many = before.many || message != record.Event.Message
	}
	return found
}

// lostLeases names the managers that lost their lease when a renewal was due as well: two timers for one instant, of
// which Go picks one (renew in client-go's tools/leaderelection/leaderelection.go). With upstream's defaults it is so: five
// times retryPeriod is renewDeadline.
func (r run) lostLeases() []string {
	var found []string
	last, period := map[string]time.Duration{}, map[string]time.Duration{}
	for _, record := range r {
		switch {
		case record.Request != nil && record.Request.Verb == "update" && record.Request.Resource == "leases.coordination.k8s.io":
			if gap := record.Request.Sent - last[record.Actor]; gap > timerSlack {
				last[record.Actor], period[record.Actor] = record.Request.Sent, gap
			}
		case record.Log != nil && record.Log.Message == "leaderelection lost":
			since := record.At - last[record.Actor]
			if since < timerSlack || (since-period[record.Actor]).Abs() < timerSlack {
				found = append(found, record.Actor)
			}
		}
	}
	return found
}
