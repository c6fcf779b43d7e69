package syncs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"github.com/kubestep/kubestep/sim/trace"
)

// HandleErrors records the errors that controllers report through utilruntime.HandleError. It replaces upstream's
// handlers, of which one sleeps on a package-level wall-clock timestamp: in virtual time that sleep lasts for decades.
func (o *Observer) HandleErrors() {
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{
		func(_ context.Context, err error, message string, keysAndValues ...any) {
			o.Errored("", message, err, keysAndValues)
		},
	}
}

// Logger returns a logger that records lines up to the verbosity in the trace.
func (o *Observer) Logger(verbosity int) klog.Logger {
	return logr.New(&logSink{observer: o, verbosity: verbosity})
}

// logSink implements logr.LogSink.
type logSink struct {
	observer  *Observer
	verbosity int
	name      string
	values    []any
	// reconciles means that this is the logger of one request of controller-runtime.
	reconciles bool
}

func (l *logSink) Init(logr.RuntimeInfo) {}

// retryVerbosity is the level at which controllers log why they retry a sync: deployment-controller with "Error syncing deployment".
const retryVerbosity = 2

func (l *logSink) Enabled(level int) bool {
	return level <= l.verbosity || l.reconciles && level <= reconcileVerbosity || level <= retryVerbosity && l.observer.Current() != nil
}

// leftOut begin the lines that say nothing about a run. Upstream's prober for FlexVolumes looks for a folder of plugins,
// which has no name here, and watches it where the machine can. And the API server builds its HTTP interface when
// somebody asks for it the first time, which may be somebody outside the simulation.
var leftOut = []string{"Flexvolume plugin directory at ", "Error initializing dynamic plugin prober", "Adding GroupVersion "}

func isLeftOut(message string) bool {
	return slices.ContainsFunc(leftOut, func(begin string) bool { return strings.HasPrefix(message, begin) })
}

func (l *logSink) Info(level int, message string, keysAndValues ...any) {
	if isLeftOut(message) {
		return
	}
	all := append(append([]any{}, l.values...), keysAndValues...)
	l.observer.told(keysAndValues)
	if l.reconciles && l.observer.reconcile(message, all) || level > l.verbosity {
		return
	}
	l.observer.Log(l.name, trace.Log{Level: level, Message: clean(message), Values: printed(all)}, all)
}

func (l *logSink) Error(err error, message string, keysAndValues ...any) {
	if isLeftOut(message) {
		return
	}
	all := append(append([]any{}, l.values...), keysAndValues...)
	reported := l.observer.readError(err)
	l.observer.Log(l.name, trace.Log{
		Level: -1, Message: clean(message), Values: printed(all), Error: reported.Text, Stale: reported.Stale,
	}, all)
	if l.reconciles && message == reconcileFails {
		l.observer.endRequest(reported.Text)
	}
}

func (l *logSink) WithValues(keysAndValues ...any) logr.LogSink {
	clone := *l
	clone.values = append(append([]any{}, l.values...), keysAndValues...)
	clone.reconciles = l.reconciles || reconciles(keysAndValues)
	return &clone
}

func (l *logSink) WithName(name string) logr.LogSink {
	clone := *l
	clone.name = name
	return &clone
}

// told notes the error among the values of a log line, if the calling goroutine works on a sync.
func (o *Observer) told(keysAndValues []any) {
	s := o.Current()
	if s == nil {
		return
	}
	text := ""
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		if err, ok := keysAndValues[i+1].(error); ok && err != nil {
			text = o.readError(err).Text
		}
	}
	s.tells(text)
}

// printed formats key/value pairs as key=value. Values that are not plain data are shown by their type only: a printed
// pointer would differ between runs.
func printed(keysAndValues []any) []string {
	var out []string
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		out = append(out, fmt.Sprintf("%v=%s", keysAndValues[i], clean(plain(keysAndValues[i+1]))))
	}
	return out
}

func plain(value any) (text string) {
	// A method of what is logged may panic, most often that of a nil pointer.
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("(%T)", value)
		}
	}()
	switch v := value.(type) {
	case nil:
		return "<nil>"
	case string:
		return v
	case error:
		return v.Error()
	case klog.KMetadata:
		// An object's String prints all of it, with the addresses of what it points to.
		return klog.KObj(v).String()
	case fmt.Stringer:
		return v.String()
	case bool, int, int32, int64, uint, uint32, uint64, float32, float64, []string:
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("(%T)", value)
}

// keyOf returns the key of a sync in a log line: upstream logs it as "key", or under the kind's name.
func keyOf(keysAndValues []any) string {
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		switch fmt.Sprint(keysAndValues[i]) {
		case "key", "deployment", "replicaSet", "daemonset", "statefulset", "job", "node", "pod", "service":
			if key := clean(plain(keysAndValues[i+1])); key != "" && key[0] != '(' {
				return key
			}
		}
	}
	return ""
}
