// Package world is the main function of the program that package main of the folder above makes: it runs upstream's end-to-end tests
// as a client of a cluster in the same process, in virtual time.
//
// The cluster is that of a scenario (world.yaml), as kubestep serve runs it: the same API server and controllers, with upstream's
// scheduler and kubelets. The suite is a program of its own in upstream, which connects to a cluster and waits in real time. Here its
// goroutines are in the bubble of the simulation, so that its sleeps and polls take no time, and its requests are events of the engine.
package world

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/trace"
)

// Exit codes of the process, beside those of the suite: 0 and 1.
const (
	ExitUsage = 2
	// ExitHalted means that the simulation was ended from outside: it made no progress, or held too much memory.
	ExitHalted = 3
)

// Actor is the name of the suite in the trace. The API server takes it for an administrator.
const Actor = "e2e"

//go:embed world.yaml
var text string

// Scenario is the cluster of the tests.
func Scenario() (*format.Scenario, error) {
	return format.Parse("world.yaml", []byte(text), verb.All, runner.Expressions)
}

// memoryMax is what a process may hold, in bytes.
const memoryMax = 4 << 30

// Kubeconfig is the file for the clients of the tests. Nothing listens at the address: a connection that does not take the transport is
// refused.
const Kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: kubestep, cluster: {server: "http://127.0.0.1:1"}}]
contexts: [{name: kubestep, context: {cluster: kubestep, user: e2e}}]
users: [{name: e2e, user: {}}]
current-context: kubestep
`

// Options are how a world is played.
type Options struct {
	Seed int64
	// Sinks receive the records of the trace.
	Sinks []trace.Sink
}

// FromEnvironment reads options from E2E_SEED, 1 by default, and E2E_TRACE, the file for the trace; empty means none.
func FromEnvironment() (Options, error) {
	o := Options{Seed: 1}
	if seed := os.Getenv("E2E_SEED"); seed != "" {
		var err error
		if o.Seed, err = strconv.ParseInt(seed, 10, 64); err != nil {
			return o, fmt.Errorf("E2E_SEED: %w", err)
		}
	}
	name := os.Getenv("E2E_TRACE")
	if name == "" {
		return o, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return o, err
	}
	// The process ends without notice, when its test does.
	o.Sinks = []trace.Sink{func(_ *trace.Record, line []byte) { _, _ = file.Write(line) }}
	return o, nil
}

// Play plays the world until suite ends the process. suite gets the transport to the API server.
func Play(s *format.Scenario, o Options, suite func(http.RoundTripper)) error {
	// The runtime starts its goroutine for signals when the first one is asked for, which must not be in the bubble.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR2)
	progress := &engine.Progress{}
	guard := limits.Limits{Memory: memoryMax}
	guard.TuneGarbageCollector()
	defer guard.Guard(progress, func(halt trace.Halt) {
		fmt.Fprintf(os.Stderr, "%s\n%s\n", halt.Message, halt.Stack)
		os.Exit(ExitHalted)
	})()
	_, err := runner.Run(s, runner.RunOptions{
		Seed: &o.Seed, Progress: progress, Sinks: o.Sinks, NoLines: len(o.Sinks) == 0,
		Session: session{suite, len(s.Spec.Cluster.EachNode())},
	})
	if err == nil {
		err = errors.New("the suite has not ended the process within the horizon")
	}
	return err
}

// session starts the suite when the nodes are ready. It takes no steps.
type session struct {
	suite func(http.RoundTripper)
	nodes int
}

// ready reports whether a number of nodes are ready for Pods.
func ready(s *sim.Simulation, nodes int) bool {
	for _, object := range s.State.List(corev1.Resource("nodes"), "") {
		node := object.(*corev1.Node)
		if len(node.Spec.Taints) == 0 && slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
			return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
		}) {
			nodes--
		}
	}
	return nodes == 0
}

var _ runner.Session = session{}

// Begin implements runner.Session.
func (s session) Begin(live runner.Live) {
	simulation := live.Simulation()
	go func() {
		simulation.Activities.Enter(&activity.Activity{Actor: Actor})
		requests := simulation.RoundTripper(Actor)
		access, err := newAccess(live, requests)
		if err != nil {
			fmt.Fprintln(os.Stderr, "Error:", err)
			os.Exit(ExitUsage)
		}
		for !ready(simulation, s.nodes) {
			time.Sleep(time.Second)
		}
		s.suite(transport{requests, access})
	}()
}

// Next implements runner.Session.
func (session) Next(ctx context.Context) (step format.Step, around func(verb.Client) verb.Client, ok bool) {
	<-ctx.Done()
	return step, nil, false
}

// Took implements runner.Session.
func (session) Took(error) {}
