package trace

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Container is what a kubelet, or the container runtime of its node, did with a container of a Pod. One of Started, Exit,
// BackOff, Probe, Hook, Signal, Pull, Exec, Shutdown and Eviction is set.
type Container struct {
	// Object is the Pod, and UID its uid.
	Object
	UID string `json:"uid"`
	// Container is the name of the container; empty for what the containers of a Pod share: a pull, a shutdown, an eviction.
	Container string `json:"container,omitempty"`
	// Attempt counts the starts of the container before this one, for what belongs to one of them: a start, a signal, an exit.
	Attempt int `json:"attempt,omitempty"`
	// Started means that it started, for the first time or again.
	Started bool     `json:"started,omitempty"`
	Exit    *Exit    `json:"exit,omitempty"`
	BackOff *BackOff `json:"backOff,omitempty"`
	Probe   *Probe   `json:"probe,omitempty"`
	Hook    *Hook    `json:"hook,omitempty"`
	Signal  *Signal  `json:"signal,omitempty"`
	Pull    *Pull    `json:"pull,omitempty"`
	// Shutdown is there when the kubelet begins to shut its node down.
	Shutdown *Shutdown `json:"shutdown,omitempty"`
	// Eviction is there when the kubelet is about to evict Pods.
	Eviction *Eviction `json:"eviction,omitempty"`
	Exec     *Exec     `json:"exec,omitempty"`
}

// Exit is the end of a container. Its record is there when the kubelet asks for the first time.
type Exit struct {
	// Ended is the virtual time of the end.
	Ended time.Duration `json:"ended"`
	Code  int32         `json:"code"`
	// Reason is that of the container runtime: Completed, Error or OOMKilled.
	Reason string `json:"reason,omitempty"`
}

// BackOff is how long a kubelet waits after the end of a container before it starts the container again.
type BackOff struct {
	Length time.Duration `json:"length"`
}

// The types of probes.
const (
	ProbeStartup   = "startup"
	ProbeReadiness = "readiness"
	ProbeLiveness  = "liveness"
)

// Probe is the result of one probe of a container.
type Probe struct {
	// Type is startup, readiness or liveness.
	Type      string `json:"type"`
	Succeeded bool   `json:"succeeded,omitempty"`
	// Output is what the kubelet says about the answer: HTTP probe failed with statuscode: 503.
	Output string `json:"output,omitempty"`
	// Code is the status code of HTTP, or the exit code of a command; 0 if there was no answer, and for a success.
	Code int `json:"code,omitempty"`
	// Sent is the virtual time at which the kubelet asked, and TimedOut means that it waited for the answer in vain, for timeoutSeconds.
	Sent     time.Duration `json:"sent"`
	TimedOut bool          `json:"timedOut,omitempty"`
	// Run is how many results in a row were the same, and Threshold how many it takes: failureThreshold or successThreshold.
	Run       int `json:"run,omitempty"`
	Threshold int `json:"threshold,omitempty"`
}

// Hook is a preStop hook of a container that begins or ends.
type Hook struct {
	Phase Phase `json:"phase"`
	// TimedOut means that the grace period ended before the hook.
	TimedOut bool `json:"timedOut,omitempty"`
}

// The signals that a container runtime sends.
const (
	SignalTerminate = "SIGTERM"
	SignalKill      = "SIGKILL"
)

// Signal is a signal to a container.
type Signal struct {
	// Name is SIGTERM or SIGKILL.
	Name string `json:"name"`
	// Grace is how long after SIGTERM the runtime sends SIGKILL.
	Grace time.Duration `json:"grace,omitempty"`
}

// Pull is a pull of an image that ended, or one that begins.
type Pull struct {
	Image string `json:"image"`
	// Begins means that the pull begins. One that takes no time has no record of its begin.
	Begins bool `json:"begins,omitempty"`
	// Took is how long it took.
	Took time.Duration `json:"took,omitempty"`
	// Error is that of the container runtime; empty if the image is there now.
	Error string `json:"error,omitempty"`
}

// Exec is a command of a user in a container that ended.
type Exec struct {
	Command []string `json:"command"`
	Code    int      `json:"code,omitempty"`
	// Output is the begin of what it printed.
	Output string `json:"output,omitempty"`
	// Error is why it did not run.
	Error string `json:"error,omitempty"`
}

// Shutdown is when a kubelet stops a Pod in the graceful shutdown of its node: in one of several phases, by the priority of the Pod.
type Shutdown struct {
	// Canceled means that the shutdown was canceled; the other fields are zero then.
	Canceled bool `json:"canceled,omitempty"`
	// Phase counts from 1 to Phases, those without Pods not among them.
	Phase  int `json:"phase,omitempty"`
	Phases int `json:"phases,omitempty"`
	// Priority is the lowest one of the Pods of the phase.
	Priority int32 `json:"priority,omitempty"`
	// Period is how long the phase takes at most. It begins when the phase before has ended, at the virtual time Latest at the latest.
	Period time.Duration `json:"period,omitempty"`
	Latest time.Duration `json:"latest,omitempty"`
}

// Eviction is the place of a Pod in the order in which a kubelet evicts Pods, when its node lacks a resource.
type Eviction struct {
	// Signal is the one whose threshold is met, such as nodefs.available, with what is available, in bytes or as a number.
	Signal    string `json:"signal,omitempty"`
	Threshold int64  `json:"threshold"`
	Available int64  `json:"available"`
	// Resource is what the node lacks: memory, ephemeral-storage or pids.
	Resource string `json:"resource"`
	// Rank counts from 1, of Of Pods. The kubelet evicts one of them: the first that is not critical.
	Rank int `json:"rank"`
	Of   int `json:"of"`
	// Priority, and Used and Requested of the resource, are those of the Pod.
	Priority  int32 `json:"priority"`
	Used      int64 `json:"used"`
	Requested int64 `json:"requested"`
}

func describeContainer(row *Row, record *Record) {
	c := record.Container
	row.Object = objectName(c.Object)
	of := ""
	if c.Container != "" {
		of = " of container " + c.Container
	}
	switch {
	case c.Started:
		row.Verb, row.Detail = "start", "container "+c.Container
	case c.Exit != nil:
		row.Verb, row.Detail = "exit", fmt.Sprintf("container %s: %s, code %d", c.Container, c.Exit.Reason, c.Exit.Code)
		row.Outcome = "at " + Seconds(c.Exit.Ended)
	case c.BackOff != nil:
		row.Verb, row.Detail, row.Outcome = "back-off", "container "+c.Container, "waits "+Seconds(c.BackOff.Length)
	case c.Probe != nil:
		row.Verb = "probe"
		result := "failed"
		if c.Probe.Succeeded {
			result = "succeeded"
		}
		row.Detail = c.Probe.Type + of + " " + result
		if c.Probe.Output != "" {
			row.Detail += ": " + oneLine(c.Probe.Output)
		}
		if c.Probe.Threshold > 0 {
			row.Outcome = strconv.Itoa(c.Probe.Run) + " of " + strconv.Itoa(c.Probe.Threshold)
		}
	case c.Hook != nil:
		row.Verb, row.Detail = "preStop", "hook"+of+" begins"
		if c.Hook.Phase == PhaseEnd {
			row.Detail = "hook" + of + " ends"
		}
		if c.Hook.TimedOut {
			row.Detail = "hook" + of + " has not ended in the grace period"
		}
	case c.Signal != nil:
		row.Verb, row.Detail = c.Signal.Name, "container "+c.Container
		if c.Signal.Grace > 0 {
			row.Outcome = SignalKill + " in " + Seconds(c.Signal.Grace)
		}
	case c.Shutdown != nil:
		c.Shutdown.describe(row)
	case c.Eviction != nil:
		row.Verb = "rank"
		row.Detail = fmt.Sprintf("%d of %d for eviction", c.Eviction.Rank, c.Eviction.Of)
		row.Outcome = c.Eviction.Signal
	case c.Exec != nil:
		row.Verb, row.Detail, row.Outcome = "exec", oneLine(strings.Join(c.Exec.Command, " ")), "exit "+strconv.Itoa(c.Exec.Code)
		if c.Exec.Error != "" {
			row.Detail, row.Outcome = row.Detail+": "+oneLine(c.Exec.Error), ""
		} else if c.Exec.Output != "" {
			row.Detail += ": " + oneLine(c.Exec.Output)
		}
	case c.Pull != nil:
		row.Verb, row.Detail = "pull", "image "+c.Pull.Image
		if c.Pull.Begins {
			row.Detail += " begins"
		}
		if c.Pull.Error != "" {
			row.Detail += ": " + oneLine(c.Pull.Error)
		}
		if c.Pull.Took > 0 {
			row.Outcome = "took " + Seconds(c.Pull.Took)
		}
	}
}

func (s *Shutdown) describe(row *Row) {
	if row.Verb = "shutdown"; s.Canceled {
		row.Detail = "canceled"
		return
	}
	row.Detail = fmt.Sprintf("phase %d of %d, priority %d", s.Phase, s.Phases, s.Priority)
	row.Outcome = "takes " + Seconds(s.Period) + " at most"
}
