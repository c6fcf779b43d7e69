package verb

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/metrics"
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// User is the actor of a scenario's steps.
const User = "kubectl"

// A Verb is what a step does, and how. The methods that need no simulation are those of format.Verb.
type Verb interface {
	format.Verb
	// Do executes the verb on a goroutine of the simulation. Errors are those of the API server; an *source.Error,
	// which means that the scenario is wrong; or an *UnmetError.
	Do(ctx context.Context, w World) error
}

// World is the simulation from the view of one step. The runner creates one for each step.
type World interface {
	Scenario() *format.Scenario
	// Step is the index of the step, and Cause the number of its record in the trace.
	Step() int
	Cause() int64

	Simulation() *sim.Simulation
	// Client sends the requests of the step.
	Client() Client
	Kubelets() Kubelets
	Processes() *controllers.Processes
	// Metrics is nil in a scenario without load.
	Metrics() *metrics.Server

	// Arm adds a fault rule. It must be called on the engine's goroutine.
	Arm(f *format.FaultRule)
	// Wait blocks until a field of the verb holds: a condition, or another form of notation.ParseWait. After the
	// timeout, it returns ErrTimeout.
	Wait(ctx context.Context, field, text string, timeout time.Duration) error
	// Explain describes the current values in the condition of a field.
	Explain(field string) string
}

// Kubelets let nodes, Pods and images fail: those of the stand-in (package node), or upstream's. Fail, Shutdown, Partition, Recover and
// Skew may not be called on the engine's goroutine, and InjectFault and InjectImageFault must be.
type Kubelets interface {
	Fail(nodes ...string)
	Shutdown(nodes ...string)
	Partition(nodes ...string)
	Recover(nodes ...string)
	Skew(ahead time.Duration, nodes ...string)
	// SetHealthy makes so many devices of a resource healthy.
	SetHealthy(resource string, count int, nodes ...string)
	InjectFault(namespace, pod string, fault node.PodFault, exitCode int32, cause int64) error
	InjectImageFault(glob string, fault node.PodFault, cause int64)
	// WriteManifest and RemoveManifest change the folder with the manifests of static Pods of a node.
	WriteManifest(node, pod, text string) error
	RemoveManifest(node, pod string) error
}

// ManifestWriter is a verb that changes the folder of manifests of a node.
type ManifestWriter interface {
	WritesManifests() (node string)
}

// ClockSetter is a verb that can make the clocks of nodes wrong, which only the stand-in of the kubelet can do.
type ClockSetter interface {
	SetsClocks(*format.Scenario) (nodes []string)
}

// Client sends requests of the user to the API server. In a session, it sends what a client outside has sent in place of the request
// that a verb makes.
type Client interface {
	// Do sends a request as client-go's typed clients do: one that is answered with Retry-After is sent again.
	Do(apiserver.Request) (runtime.Object, error)
	// RoundTrip sends a request over HTTP.
	RoundTrip(*http.Request) (*http.Response, error)
}

// Prober is a verb that can make mistakes which the file does not show, but a cluster in which nothing has happened
// yet.
type Prober interface{ Probe(Prospect) error }

// Foreseer is a verb that can tell from the objects that there are now that it would fail. Foresee must be called on the engine's
// goroutine.
type Foreseer interface {
	Foresee(table *kinds.Table, state *sim.State) error
}

// Prospect is what is known before a run.
type Prospect struct {
	Scenario *format.Scenario
	// Step is the index of the step.
	Step int
	// Server is an API server with nothing in it.
	Server *apiserver.Server
	// Processes are the processes with controllers.
	Processes []string
}

// Announcer is a verb that is not recorded as an action, but as text for the reader.
type Announcer interface{ Announce(step int) *trace.Record }

// Manifester is a verb that consists of manifests. Writing to the text changes the step.
type Manifester interface{ Manifests() *string }

// Blocker is a verb that may delay the steps after it.
type Blocker interface{ Blocks() bool }

// Questioner is a verb with a condition that only holds in the scenario's own run. Remainder is the verb for a branch
// of that run; nil means none.
type Questioner interface{ Remainder() Verb }

// UnmetError means that what a step waited for did not happen. It fails the run, but the scenario is valid.
type UnmetError struct {
	Message string
	By      Decider
}

// Decider is what decided that something failed: the same check may fail because of what happened, or because a time was
// over. It has no influence on the verdict; shrink must not take one for the other.
type Decider string

// The deciders. The empty one is the state of the simulation.
const (
	ByTimeout Decider = "timeout"
	ByHorizon Decider = "horizon"
)

// Error implements error.
func (e *UnmetError) Error() string { return e.Message }

func unmet(format string, args ...any) error {
	return &UnmetError{Message: fmt.Sprintf(format, args...)}
}

// late is what a step did not see within its timeout.
func late(format string, args ...any) error {
	return &UnmetError{Message: fmt.Sprintf(format, args...), By: ByTimeout}
}

// ErrTimeout is the error of a Wait that took too long, as a *TimeoutError.
var ErrTimeout = errors.New("timed out")

// TimeoutError says how long a Wait took, and what was missing then.
type TimeoutError struct {
	After   time.Duration
	Missing string
}

// Error implements error.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%v after %s: %s", ErrTimeout, e.After, e.Missing)
}

// Unwrap returns ErrTimeout.
func (e *TimeoutError) Unwrap() error { return ErrTimeout }

// path is the field path of a verb in its step, or of a field of the verb.
func path(w World, fields ...string) string {
	at := format.StepPath(w.Step()) + "." + w.Scenario().Spec.Steps[w.Step()].Verb.Keyword()
	for _, field := range fields {
		at += "." + field
	}
	return at
}
