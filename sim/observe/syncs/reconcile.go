package syncs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// controller-runtime's work queue is its own and reports nothing. But its controllers log, at verbosity 5 and on the
// goroutine of the worker, when they begin to reconcile a request and how that ended (reconcileHandler in
// sigs.k8s.io/controller-runtime/pkg/internal/controller). The logger of each request has these values.
const (
	reconcileID         = "reconcileID"
	reconcileController = "controller"
	reconcileVerbosity  = 5
	reconcileBegins     = "Reconciling"
	reconcileSucceeds   = "Reconcile successful"
	reconcileRequeues   = "Reconcile done, requeueing"
	reconcileFails      = "Reconciler error"
)

// reconciles reports whether key/value pairs are those of one request.
func reconciles(keysAndValues []any) bool { return slices.Contains(keysAndValues, any(reconcileID)) }

// valueOf is the last value of a key; nil if there is none.
func valueOf(keysAndValues []any, key string) (value any) {
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		if keysAndValues[i] == any(key) {
			value = keysAndValues[i+1]
		}
	}
	return value
}

// requestKey is namespace/name of a request.
func requestKey(keysAndValues []any) string {
	name, _ := valueOf(keysAndValues, "name").(string)
	if namespace, _ := valueOf(keysAndValues, "namespace").(string); namespace != "" {
		return namespace + "/" + name
	}
	return name
}

// reconcile notes the beginning or the end of a request, and reports whether the line says nothing else.
func (o *Observer) reconcile(message string, keysAndValues []any) bool {
	switch {
	case message == reconcileBegins:
		o.beginRequest(fmt.Sprint(valueOf(keysAndValues, reconcileController)), requestKey(keysAndValues))
	case message == reconcileSucceeds:
		o.endRequest("")
	case message == reconcileRequeues || strings.HasPrefix(message, reconcileRequeues+" after "):
		if s := o.Current(); s != nil {
			s.requeues()
		}
		o.endRequest("")
	default:
		return false
	}
	return true
}

// beginRequest begins the sync of a request, unless a work queue of client-go has done so.
func (o *Observer) beginRequest(controller, key string) {
	if s := o.Current(); s != nil {
		s.named(key)
		return
	}
	q := o.queue(controller, false)
	if entry := o.delivery(q); entry != nil {
		q.add(o.now(), entry)
	}
	o.begin(q, 0)
	if s := o.Current(); s != nil {
		s.named(key)
		s.mu.Lock()
		s.request = true
		s.mu.Unlock()
	}
}

// endRequest ends the sync of a request that beginRequest began.
func (o *Observer) endRequest(err string) {
	s := o.Current()
	if s == nil {
		return
	}
	if err != "" {
		s.failed(err, false)
		s.requeues()
	}
	s.mu.Lock()
	request := s.request
	s.mu.Unlock()
	if request {
		o.end(s.queue)
	}
}

// delivery is the addition of a key for a watch event that arrives now; nil at any other time. The queue hands a key on
// without delay, so a request that begins at the time of an event was added by its handler.
func (o *Observer) delivery(q *queue) *entry {
	cause := o.cause(nil)()
	if cause == 0 {
		return nil
	}
	e := &entry{record: &trace.Record{Kind: trace.KindEnqueue, Actor: q.actor}}
	o.recorder.Defer(e.record, trace.RankHandler, func() string { return q.order + " " + e.key() }, func(record *trace.Record) {
		record.Cause = cause
		record.Enqueue = &trace.Enqueue{Queue: q.name, Key: e.key()}
	}, nil)
	return e
}
