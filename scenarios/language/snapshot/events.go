package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// eventsMax is how many Events the description of a scenario tells.
const eventsMax = 10

// event is what several Events of one reason said about one object.
type event struct {
	// kind, namespace and name are those of the object.
	kind, namespace, name   string
	object, reason, message string
	warning                 bool
	count                   int64
	last                    string // RFC 3339 in UTC, so it sorts as text
}

// events are the Events of a dump, by object and reason.
type events map[string]*event

// add takes an Event of either API group.
func (e events) add(o *unstructured.Unstructured) {
	text := func(fields ...string) string {
		for _, field := range fields {
			if value, _, _ := unstructured.NestedString(o.Object, strings.Split(field, ".")...); value != "" {
				return value
			}
		}
		return ""
	}
	count := func(fields ...string) int64 {
		for _, field := range fields {
			if n := number(o, strings.Split(field, ".")...); n > 0 {
				return n
			}
		}
		return 1
	}
	one := &event{
		kind: text("involvedObject.kind", "regarding.kind"), namespace: text("involvedObject.namespace", "regarding.namespace"),
		name:   text("involvedObject.name", "regarding.name"),
		reason: text("reason"), message: strings.Join(strings.Fields(text("message", "note")), " "),
		warning: text("type") == "Warning", count: count("series.count", "count", "deprecatedCount"),
		last: text("series.lastObservedTime", "lastTimestamp", "deprecatedLastTimestamp", "eventTime", "metadata.creationTimestamp"),
	}
	one.object = one.kind + " " + one.name
	if one.kind == "Node" {
		// The Events of nodes are in the namespace default, the nodes in none.
		one.namespace = ""
	}
	key := strings.Join([]string{one.kind, one.namespace, one.name, one.reason}, " ")
	before := e[key]
	if before == nil {
		e[key] = one
		return
	}
	before.count += one.count
	if one.last >= before.last {
		before.last, before.message = one.last, one.message
	}
}

// last is the time of the last Event of a reason about an object; the zero time if there is none.
func (e events) last(kind, namespace, name, reason string) time.Time {
	one := e[strings.Join([]string{kind, namespace, name, reason}, " ")]
	if one == nil {
		return time.Time{}
	}
	at, _ := time.Parse(time.RFC3339, one.last)
	return at
}

// lines tells the warnings first, then the others, each from the last to the first.
func (e events) lines() []string {
	var all []*event
	for _, one := range e {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *event) int {
		if a.warning != b.warning {
			if a.warning {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.last, a.last), cmp.Compare(a.object, b.object), cmp.Compare(a.reason, b.reason))
	})
	var lines []string
	for i, one := range all {
		if i == eventsMax {
			lines = append(lines, fmt.Sprintf("- and %d more", len(all)-eventsMax))
			break
		}
		times := ""
		if one.count > 1 {
			times = fmt.Sprintf(" (%d times)", one.count)
		}
		lines = append(lines, fmt.Sprintf("- %s: %s%s: %s", one.object, one.reason, times, one.message))
	}
	return lines
}
