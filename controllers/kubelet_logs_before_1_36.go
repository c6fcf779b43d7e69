//go:build linux && kubernetes_before_1_36

package controllers

import (
	"flag"
	"strconv"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/kubestep/kubestep/sim/process/logging"
)

// Before 1.36, a kubelet logs most of its lines with the logger of klog, which the whole process shares. They are led to the log of the
// kubelet whose goroutine writes them.

// lead makes a sink that of the kubelet of a node.
func (k *kubelets) lead(node string, sink logr.LogSink) { k.sinks.Store(node, sink) }

// leadLogs leads the lines of kubelets to their logs, and all others to where they went before.
func (c *Processes) leadLogs(k *kubelets, verbosity int) {
	c.sim.OnEnd(logging.To(ledSink{k, c.sim.Observer.Logger(verbosity).GetSink()}))
	// klog itself leaves out lines of a higher verbosity than this.
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(flags)
	before := flags.Lookup("v").Value.String()
	_ = flags.Set("v", strconv.Itoa(max(factVerbosity, verbosity))) // a number is no error
	c.sim.OnEnd(func() { _ = flags.Set("v", before) })
}

// ledSink implements logr.LogSink.
type ledSink struct {
	kubelets *kubelets
	others   logr.LogSink
}

// sink is that of the calling goroutine.
func (s ledSink) sink() logr.LogSink {
	if sink, found := s.kubelets.sinks.Load(s.kubelets.caller()); found {
		return sink.(logr.LogSink)
	}
	return s.others
}

// Init implements logr.LogSink.
func (s ledSink) Init(logr.RuntimeInfo) {}

// Enabled implements logr.LogSink.
func (s ledSink) Enabled(level int) bool { return s.sink().Enabled(level) }

// Info implements logr.LogSink.
func (s ledSink) Info(level int, message string, values ...any) {
	s.sink().Info(level, message, values...)
}

// Error implements logr.LogSink.
func (s ledSink) Error(err error, message string, values ...any) {
	s.sink().Error(err, message, values...)
}

// WithValues implements logr.LogSink.
func (s ledSink) WithValues(values ...any) logr.LogSink { return s.sink().WithValues(values...) }

// WithName implements logr.LogSink.
func (s ledSink) WithName(name string) logr.LogSink { return s.sink().WithName(name) }
