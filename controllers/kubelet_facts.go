//go:build linux

package controllers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"github.com/kubestep/kubestep/sim/trace"
)

// A kubelet tells the API server little of what it does with containers: an Event when a probe fails, of which it drops those beyond 25 in
// a row, and nothing about one that succeeds. Its log tells all, with values. So the sink of its log records results of probes and preStop
// hooks, and the container runtime records the rest: package sim/cluster/cri.

// The lines of a kubelet's log that are recorded, and their verbosity at most: pkg/kubelet/prober/prober.go and
// pkg/kubelet/kuberuntime/kuberuntime_container.go and kuberuntime_manager.go.
const (
	probeFailed    = "Probe failed"
	probeErrored   = "Probe errored"
	probeUnknown   = "Probe unknown without error"
	probeSucceeded = "Probe succeeded"
	probeWarned    = "Probe succeeded with a warning"
	hookBegins     = "Running preStop hook"
	hookEnds       = "PreStop hook completed"
	hookTimedOut   = "PreStop hook not completed in grace period"
	backOff        = "Back-off restarting failed container"

	shutdownBegins = "Shutdown manager processing shutdown event"
	shutdownEvent  = "Shutdown manager detected new shutdown event"

	factVerbosity = 3
)

// noticed returns what records what the runtime of a node does. Events and the status of the Pod also show all but signals.
func (c *Processes) noticed(actor string) func(trace.Container) {
	return func(what trace.Container) { c.recordContainer(actor, &what, what.Signal == nil) }
}

// recordContainer writes a record about a container. One that is background changes nothing by itself.
func (c *Processes) recordContainer(actor string, what *trace.Container, background bool) {
	record := &trace.Record{Kind: trace.KindContainer, Actor: actor, Background: background, Container: what}
	c.sim.Recorder.Defer(record, trace.RankOther, func() string { return factOrder(what) }, nil, nil)
}

// factOrder is the order of facts of one instant, which different goroutines tell: a container is stopped after the result of a probe,
// ends, and starts again; a pull begins after the end of the one before.
func factOrder(what *trace.Container) string {
	rank := slices.Index([]bool{
		what.Pull != nil, what.Probe != nil, what.Hook != nil, what.Signal != nil, what.Exit != nil, what.Started, what.BackOff != nil,
	}, true)
	kind := ""
	switch {
	case what.Pull != nil && what.Pull.Begins:
		kind = "2|" + what.Pull.Image
	case what.Pull != nil:
		kind = "1|" + what.Pull.Image
	case what.Probe != nil:
		kind = what.Probe.Type
	}
	return fmt.Sprintf("%s|%s|%s|%d|%s|%06d|%s", what.Namespace, what.Name, what.UID, rank, what.Container, what.Attempt, kind)
}

// tap returns a sink that records facts of a kubelet, which starts, before it passes its log on.
func (c *Processes) tap(k *kubelets, actor string, next logr.LogSink) logr.LogSink {
	return factSink{next, &facts{control: c, kubelets: k, actor: actor, runs: map[string]*probeRun{}}}
}

// facts is what one run of a kubelet tells.
type facts struct {
	control  *Processes
	kubelets *kubelets
	actor    string
	// runs are the results in a row of each probe.
	runs map[string]*probeRun
	// met are the thresholds of evictions that are met, and reclaims is the resource because of which the kubelet evicts.
	met      []pressure
	reclaims string
}

// probeRun is what the kubelet's worker for a probe knows: its fields lastResult and resultRun (pkg/kubelet/prober/worker.go).
type probeRun struct {
	succeeded bool
	length    int
	// restarts are those of the container when the last result came.
	restarts int32
}

// factSink is a sink of logs that records the facts in it.
type factSink struct {
	logr.LogSink
	facts *facts
}

// Enabled implements logr.LogSink.
func (s factSink) Enabled(level int) bool { return level <= factVerbosity || s.LogSink.Enabled(level) }

// Info implements logr.LogSink.
func (s factSink) Info(level int, message string, values ...any) {
	s.facts.read(message, values)
	if s.LogSink.Enabled(level) {
		s.LogSink.Info(level, message, values...)
	}
}

// WithValues implements logr.LogSink.
func (s factSink) WithValues(values ...any) logr.LogSink {
	return factSink{s.LogSink.WithValues(values...), s.facts}
}

// WithName implements logr.LogSink.
func (s factSink) WithName(name string) logr.LogSink {
	return factSink{s.LogSink.WithName(name), s.facts}
}

// read records the fact of a line, if it has one.
func (f *facts) read(message string, values []any) {
	switch message {
	case probeFailed, probeErrored, probeUnknown, probeSucceeded, probeWarned:
		f.probed(message, values)
	case backOff:
		f.backsOff(values)
	case evictionBegins, evictionThreshold, evictionResource, evictionOrder:
		f.evicts(message, values)
	case shutdownBegins:
		f.control.shutsDown(f.actor)
	case shutdownEvent:
		if textOf(values, "event") == "cancelled" {
			f.control.shutdownEnds(f.actor)
		}
	case hookBegins, hookEnds, hookTimedOut:
		hook := &trace.Hook{Phase: trace.PhaseStart, TimedOut: message == hookTimedOut}
		if message != hookBegins {
			hook.Phase = trace.PhaseEnd
		}
		of := containerOf(values)
		of.Hook = hook
		f.control.recordContainer(f.actor, of, false)
	}
}

// backedOff is the error of a back-off, which names all that it is about: doBackOff.
var backedOff = regexp.MustCompile(`^back-off (\S+) restarting failed container=(\S+) pod=([^_]+)_([^(]+)\(([^)]+)\)$`)

// backsOff records a back-off.
func (f *facts) backsOff(values []any) {
	m := backedOff.FindStringSubmatch(textOf(values, "err"))
	if m == nil {
		return
	}
	length, err := time.ParseDuration(m[1])
	if err != nil {
		return
	}
	f.control.recordContainer(f.actor, &trace.Container{
		Object: trace.Object{Resource: "pods", Namespace: m[4], Name: m[3]}, UID: m[5], Container: m[2],
		BackOff: &trace.BackOff{Length: length},
	}, true)
}

// containerOf is the container that a line is about.
func containerOf(values []any) *trace.Container {
	out := &trace.Container{Object: trace.Object{Resource: "pods"}}
	if pod, ok := valueOf(values, "pod").(klog.ObjectRef); ok {
		out.Namespace, out.Name = pod.Namespace, pod.Name
	}
	out.UID, out.Container = textOf(values, "podUID"), textOf(values, "containerName")
	return out
}

// valueOf is the value of a key in a line; nil without one.
func valueOf(values []any, key string) any {
	for i := 0; i+1 < len(values); i += 2 {
		if values[i] == key {
			return values[i+1]
		}
	}
	return nil
}

func textOf(values []any, key string) string {
	value := valueOf(values, key)
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

// probed records the result of a probe. Successes beyond the threshold change nothing, and are left out.
func (f *facts) probed(message string, values []any) {
	of := containerOf(values)
	now := f.control.sim.Engine.Now()
	p := &trace.Probe{
		Type: strings.ToLower(textOf(values, "probeType")), Succeeded: message == probeSucceeded || message == probeWarned, Sent: now,
		Output: cmp.Or(textOf(values, "output"), textOf(values, "err")),
	}
	p.Code = codeOf(p.Output)
	of.Probe = p
	spec, restarts := f.probe(of)
	if spec == nil {
		return
	}
	if timedOut.MatchString(p.Output) {
		p.TimedOut = true
		p.Sent -= time.Duration(spec.TimeoutSeconds) * time.Second
	}
	if message == probeErrored { // the worker throws it away
		f.control.recordContainer(f.actor, of, true)
		return
	}
	if first := f.count(of, spec, restarts); p.Succeeded && p.Run > p.Threshold && !first {
		return
	}
	f.control.recordContainer(f.actor, of, p.Run != p.Threshold)
}

// count counts a result as the worker of the probe does. first means that it is the first since the container restarted.
func (f *facts) count(of *trace.Container, spec *corev1.Probe, restarts int32) (first bool) {
	p, key := of.Probe, of.UID+"|"+of.Container+"|"+of.Probe.Type
	run := f.runs[key]
	if run == nil {
		run = &probeRun{restarts: -1}
		f.runs[key] = run
	}
	first = run.restarts != restarts
	if run.length == 0 || run.succeeded != p.Succeeded {
		run.length = 0
	}
	run.length++
	run.succeeded, run.restarts = p.Succeeded, restarts
	p.Run, p.Threshold = run.length, int(spec.FailureThreshold)
	if p.Succeeded {
		p.Threshold = int(spec.SuccessThreshold)
	}
	// The worker waits for another container: its field onHold.
	if p.Run >= p.Threshold && (p.Type == trace.ProbeStartup || p.Type == trace.ProbeLiveness && !p.Succeeded) {
		run.length = 0
	}
	return first
}

// probe is the spec of the probe of a result, and how often its container has restarted; nil if the Pod is gone.
func (f *facts) probe(of *trace.Container) (spec *corev1.Probe, restarts int32) {
	object, found := f.control.sim.State.Get(schema.GroupResource{Resource: "pods"}, of.Namespace, of.Name)
	pod, _ := object.(*corev1.Pod)
	if !found || uidOf(pod) != of.UID {
		return nil, 0
	}
	for _, c := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
		if c.Name == of.Container {
			spec = map[string]*corev1.Probe{
				trace.ProbeStartup: c.StartupProbe, trace.ProbeReadiness: c.ReadinessProbe, trace.ProbeLiveness: c.LivenessProbe,
			}[of.Probe.Type]
		}
	}
	for _, s := range slices.Concat(pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses) {
		if s.Name == of.Container {
			restarts = s.RestartCount
		}
	}
	return spec, restarts
}

// What upstream's probers say about an answer (k8s.io/kubernetes/pkg/probe), and the runtime about a command: package cri.
var (
	coded    = regexp.MustCompile(`(?:HTTP probe failed with statuscode: |^command exited with )(\d+)$`)
	timedOut = regexp.MustCompile(`context deadline exceeded|timed out|i/o timeout|^timeout: `)
)

// codeOf is the status code, or the exit code, in the output of a probe; 0 if it has none.
func codeOf(output string) int {
	m := coded.FindStringSubmatch(output)
	if m == nil {
		return 0
	}
	code, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return code
}
