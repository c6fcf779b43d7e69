//go:build linux

package controllers

import (
	"net/http"
	"runtime"
	"slices"

	"github.com/go-logr/logr"
)

// Some of a kubelet's goroutines never end: it expects that its process does. So a goroutine of a process that has ended ends where it next
// calls something of the simulation: a request, the container runtime, a file, a connection, or a line of its log. Its deferred
// functions run, and nothing else of it. Goroutines that wait for such a one never end.

// leave ends the calling goroutine if its process has ended.
func (p *process) leave() {
	if p.ctx.Err() != nil {
		runtime.Goexit()
	}
}

// mortal is a RoundTripper that ends the goroutines of the process with it.
func (p *process) mortal(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		p.leave()
		response, err := next.RoundTrip(r)
		p.leave()
		return response, err
	})
}

// mortalSink is a sink of logs that ends the goroutines of the process with it.
type mortalSink struct {
	logr.LogSink
	process *process
}

// Enabled implements logr.LogSink. A logger asks it for each line, whether it is written or not.
func (s mortalSink) Enabled(level int) bool {
	s.process.leave()
	return s.LogSink.Enabled(level)
}

// expected are errors that a kubelet reports of the machine of each node, which has no kernel log, no plugins, and no disk that could be
// measured: package controllers/kubelet.
var expected = []string{
	"Stopped receiving OOM notifications; OOM events will not be reported",
	"The desired_state_of_world populator (plugin watcher) starts failed!",
	"Unable to fetch container log stats",
}

// Error implements logr.LogSink.
func (s mortalSink) Error(err error, message string, values ...any) {
	s.process.leave()
	if slices.Contains(expected, message) {
		return
	}
	s.LogSink.Error(err, message, values...)
}

// WithValues implements logr.LogSink.
func (s mortalSink) WithValues(values ...any) logr.LogSink {
	return mortalSink{s.LogSink.WithValues(values...), s.process}
}

// WithName implements logr.LogSink.
func (s mortalSink) WithName(name string) logr.LogSink {
	return mortalSink{s.LogSink.WithName(name), s.process}
}
