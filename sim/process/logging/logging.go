// Package logging is where the logger of klog writes.
//
// Upstream's code logs through a variable of klog that all packages share and that nothing guards: whoever sets it while another
// goroutine logs makes a data race. Simulations follow each other in a process, and clients of one may still log when the next one
// begins. So this package sets the variable once, to a sink that passes on what is logged; where it goes can change at any time.
package logging

import (
	"sync"
	"sync/atomic"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// target is where the lines go now; nil, or a pointer to nil, is nowhere.
var target atomic.Pointer[logr.LogSink]

var set sync.Once

// To makes klog's logger write to a sink from now on; nil drops what is logged. The function that it returns makes it write to where
// it did before.
func To(sink logr.LogSink) (restore func()) {
	set.Do(func() { klog.SetLogger(logr.New(relay{})) })
	before := target.Swap(&sink)
	return func() { target.Store(before) }
}

// relay implements logr.LogSink. klog calls it when something is logged, also by a logger with a name or values of its own.
type relay struct{}

func (relay) sink() logr.LogSink {
	if sink := target.Load(); sink != nil && *sink != nil {
		return *sink
	}
	return nil
}

func (relay) Init(logr.RuntimeInfo) {}

func (r relay) Enabled(level int) bool {
	sink := r.sink()
	return sink != nil && sink.Enabled(level)
}

func (r relay) Info(level int, message string, keysAndValues ...any) {
	if sink := r.sink(); sink != nil {
		sink.Info(level, message, keysAndValues...)
	}
}

func (r relay) Error(err error, message string, keysAndValues ...any) {
	if sink := r.sink(); sink != nil {
		sink.Error(err, message, keysAndValues...)
	}
}

func (r relay) WithValues(keysAndValues ...any) logr.LogSink {
	if sink := r.sink(); sink != nil {
		return sink.WithValues(keysAndValues...)
	}
	return r
}

func (r relay) WithName(name string) logr.LogSink {
	if sink := r.sink(); sink != nil {
		return sink.WithName(name)
	}
	return r
}
