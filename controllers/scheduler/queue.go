package scheduler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/kubestep/kubestep/sim/observe/syncs"
)

// Upstream logs each move of a Pod between the parts of its queue, at verbosity 3 or 5 (backend/queue): "Pod moved to an internal
// scheduling queue", and since 1.37, whose queue has groups of Pods as well, "Entity moved to an internal scheduling queue".
const (
	movedMessage   = " moved to an internal scheduling queue"
	movedVerbosity = 5
	unschedulable  = "Unschedulable"
	waitsForTime   = "Backoff"
)

// moving are the subjects of these lines.
var moving = []string{"Pod", "Entity"}

// queueSink is a logr.LogSink that records the moves which the queue logs, and passes on the lines that are wanted.
type queueSink struct {
	logr.LogSink
	loop    *syncs.Loop
	backoff func()
}

// logger returns a logger whose lines about the queue are recorded as moves.
func (o *observer) logger(base klog.Logger) klog.Logger {
	if _, done := base.GetSink().(*queueSink); done {
		return base
	}
	return base.WithSink(&queueSink{base.GetSink(), o.loop, o.backoff})
}

// Enabled implements logr.LogSink.
func (q *queueSink) Enabled(level int) bool {
	return level <= movedVerbosity || q.LogSink.Enabled(level)
}

// Info implements logr.LogSink.
func (q *queueSink) Info(level int, message string, keysAndValues ...any) {
	if subject, why, found := strings.Cut(message, movedMessage); found && slices.Contains(moving, subject) {
		q.moved(why == "" && level == movedVerbosity, keysAndValues)
	}
	if q.LogSink.Enabled(level) {
		q.LogSink.Info(level, message, keysAndValues...)
	}
}

// WithValues implements logr.LogSink.
func (q *queueSink) WithValues(keysAndValues ...any) logr.LogSink {
	return &queueSink{q.LogSink.WithValues(keysAndValues...), q.loop, q.backoff}
}

// WithName implements logr.LogSink.
func (q *queueSink) WithName(name string) logr.LogSink {
	return &queueSink{q.LogSink.WithName(name), q.loop, q.backoff}
}

// moved records a move. Its line has the values pod or entity, event, and queue: the part of the queue. An entity of another type
// than pod is a group, whose moves are not recorded. Some functions of the queue repeat what those that they call have logged, unless
// the Pod is unschedulable; then only they log it.
func (q *queueSink) moved(first bool, keysAndValues []any) {
	var pod, event, queue string
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		switch value := keysAndValues[i+1]; keysAndValues[i] {
		case "type":
			if fmt.Sprint(value) != "pod" {
				return
			}
		case "pod", "entity":
			if ref, ok := value.(klog.ObjectRef); ok {
				pod = ref.String()
			}
		case "event":
			event, _ = value.(string)
		case "queue":
			queue, _ = value.(string)
		}
	}
	if !first && queue != unschedulable {
		return
	}
	if queue == waitsForTime {
		q.backoff()
	}
	follows := event == framework.BackoffComplete || event == framework.EventUnschedulableTimeout.Label()
	q.loop.Moved(pod, strings.ToLower(queue), event, follows)
}
