package trace

import (
	"slices"
	"strconv"
	"strings"
)

// The effects of a fault that others look for in a trace; its other effects are only shown. A trace has no field for them but the
// text of Fault.Effect, so this file is the place where they are written and read.
const (
	EffectHold    = "hold"
	EffectRelease = "release"
	EffectCrash   = "crash after the commit"
	// EffectCrashBefore is a crash before the request is executed.
	EffectCrashBefore = "crash before the commit"
	// EffectDelay is a request or a watch event that comes late.
	EffectDelay = "delay"
	// EffectCrashWatching is the crash of a process that watches, and EffectDelayResponse an answer that comes late.
	EffectCrashWatching = "crash"
	EffectDelayResponse = "delay of the response"
	// EffectFail is that of a node that loses power, and EffectPartition that of one that is disconnected from the API server.
	EffectFail      = "fail"
	EffectPartition = "partition"
	// EffectRestart is that of a process that starts again, and EffectRecover that of a node.
	EffectRestart = "restart"
	EffectRecover = "recover"
	// EffectPowerOff is that of a node that was shut down.
	EffectPowerOff = "power off"
)

// VerbAdmit is the verb of a fault at which a kubelet is to admit a Pod. Its only effect is that the kubelet rejects the Pod.
const VerbAdmit = "admit"

// VerbTimer is the verb of a fault of a delayed addition to a work queue. Its object has the namespace and the name that the key has.
const VerbTimer = "timer"

const (
	// drawnText begins the effect of a record that only says what a seed drew.
	drawnText = "drawn: "
	// effectSeparator is between several effects of one fault.
	effectSeparator = ", "
)

// JoinEffects is the text of several effects of one fault.
func JoinEffects(effects []string) string { return strings.Join(effects, effectSeparator) }

// Has reports whether an effect is among those of a fault.
func (f *Fault) Has(effect string) bool {
	return slices.Contains(strings.Split(f.Effect, effectSeparator), effect)
}

// OnlyDelays reports whether a fault delays a request, its answer or a watch event, and has no other effect.
func (f *Fault) OnlyDelays() bool {
	return !slices.ContainsFunc(strings.Split(f.Effect, effectSeparator), func(effect string) bool {
		return effect != EffectDelay && effect != EffectDelayResponse
	})
}

// RefuseEffect is the effect of an error that answers a request: 403 Forbidden.
func RefuseEffect(code int, reason string) string { return strconv.Itoa(code) + " " + reason }

// Refuses reports whether a fault answers the request with an error of a code, rather than delay it, for example.
func (f *Fault) Refuses(code int) bool {
	return slices.ContainsFunc(strings.Split(f.Effect, effectSeparator), func(effect string) bool {
		return strings.HasPrefix(effect, RefuseEffect(code, ""))
	})
}

// IsOfEvent reports whether a fault is about a watch event, and not about a request: its verb is then the type of the event, an EventType
// of k8s.io/apimachinery/pkg/watch.
func (f *Fault) IsOfEvent() bool {
	switch f.Verb {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR":
		return true
	}
	return false
}

// RejectEffect is the effect of a kubelet that rejects a Pod with a reason.
func RejectEffect(reason string) string { return "reject with " + reason }

// IsRejection reports whether a kubelet rejects a Pod.
func (f *Fault) IsRejection() bool { return f.Verb == VerbAdmit }

// DrawnEffect is the text of a record that says what a seed drew, which has no effect yet.
func DrawnEffect(what string) string { return drawnText + what }

// IsDrawn reports whether a record only says what a seed drew.
func (f *Fault) IsDrawn() bool { return strings.HasPrefix(f.Effect, drawnText) }

// processText begins the error of a sync that did not end by itself, and the message of a log line that tells of the same:
// "the process crashed".
const processText = "the process "

// The ends of a process.
const (
	ProcessCrashed   = processText + "crashed"
	ProcessRestarted = processText + "was restarted"
	ProcessPowerOff  = processText + "ended with its node"
	ProcessExited    = processText + "exited"
	ProcessLostLease = processText + "lost its lease and exited"
)

// IsInterrupted reports whether the sync did not end by itself, but with its process, as Error says.
func (s *Sync) IsInterrupted() bool { return strings.HasPrefix(s.Error, processText) }

// Exit is how a process exited, as its last log line says: "exited with code 1". It is empty for other log lines.
func (l *Log) Exit() string {
	if l.Level >= 0 || !strings.HasPrefix(l.Message, ProcessExited) {
		return ""
	}
	return strings.TrimPrefix(l.Message, processText)
}
