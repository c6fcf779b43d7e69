// Package verify compares the trace hashes of the scenarios that come with kubestep with what this machine gives. The
// hashes were recorded by a test when this version was made (library.Hashes), so a difference means that something of the
// machine shows in a run, which must not be. With another version of Kubernetes than the main one there are no recorded hashes:
// the checks and the invariants of the scenarios decide.
package verify

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/toolchain/versions"
	"github.com/kubestep/kubestep/sim/trace"
)

// The results of a comparison.
const (
	Same    = "same"
	Differs = "differs"
	Open    = "open"  // the recorded hash is that of the exact build, and this is the stock build
	Error   = "error" // the run did not come to its end

	// Passes and Expected are for other versions of Kubernetes than the main one.
	Passes   = "passes"   // the checks and the invariants hold
	Expected = "expected" // it does not pass, and its annotations say why
)

// other is true in a build for another version of Kubernetes than the main one.
var other = controllers.KubernetesVersion != versions.Main

// Scenario is one scenario and its hashes.
type Scenario struct {
	Name   string `json:"name"`
	Result string `json:"result"`
	// Recorded is the hash in the program, and Hash the one that this machine gives.
	Recorded string `json:"recorded,omitempty"`
	Hash     string `json:"hash,omitempty"`
	Error    string `json:"error,omitempty"`
}

// Report is what kubestep verify -o json prints.
type Report struct {
	Build             string `json:"build"`
	KubernetesVersion string `json:"kubernetesVersion"`
	Platform          string `json:"platform"`
	// Same counts the scenarios that pass with another version of Kubernetes, too.
	Same int `json:"same"`
	// Differs counts the runs that did not come to their end, too.
	Differs   int        `json:"differs"`
	Scenarios []Scenario `json:"scenarios"`
}

// Select returns the scenarios of these names with the hashes that this build gives, or all that have one.
func Select(names []string) ([]Scenario, error) {
	recorded := map[string]string{}
	for name, hash := range library.Hashes() {
		if other {
			recorded[name] = ""
		} else if exact.Enabled() || !hash.OnlyExact {
			recorded[name] = hash.Trace
		}
	}
	var list []Scenario
	for _, name := range names {
		scenario, err := library.Load(name)
		if unknown := (source.ErrorList)(nil); errors.As(err, &unknown) {
			return nil, source.ErrorList{{
				File: name, Try: unknown[0].Try,
				Message: "no scenario of this name comes with kubestep, and only those that do have recorded hashes",
			}}
		}
		if err != nil {
			return nil, err
		}
		list = append(list, Scenario{Name: scenario.Metadata.Name, Recorded: recorded[scenario.Metadata.Name]})
	}
	if len(names) > 0 {
		return list, nil
	}
	files, err := library.Files()
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		// The name of a shipped scenario is that of its file.
		name := strings.TrimSuffix(path.Base(file), path.Ext(file))
		if hash, ok := recorded[name]; ok {
			list = append(list, Scenario{Name: name, Recorded: hash})
		}
	}
	return list, nil
}

// Run runs the scenarios, as many at a time as there are processors, and fills in what came of each. It calls done after
// each of them, on any goroutine.
func Run(ctx context.Context, list []Scenario, done func()) {
	next := make(chan *Scenario)
	var running sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		running.Go(func() {
			for s := range next {
				s.run(ctx)
				done()
			}
		})
	}
	for i := range list {
		next <- &list[i]
	}
	close(next)
	running.Wait()
}

// run makes the run and compares its hash. A child looks for a file of the scenario's name first, so it starts in a
// folder in which nobody keeps scenarios.
func (s *Scenario) run(ctx context.Context) {
	defer s.explain()
	result, err := child.Run{File: s.Name, Dir: string(filepath.Separator)}.Follow(ctx, func(*trace.Record) error { return nil })
	switch {
	case err != nil:
		s.Result, s.Error = Error, err.Error()
	case result.Outcome == nil:
		s.Result, s.Error = Error, result.Halt.Message
	default:
		s.Hash = result.Outcome.TraceHash
		s.Result = Differs
		if other {
			if result.Outcome.Result == runner.Pass {
				s.Result = Passes
			}
		} else if s.Recorded == "" {
			s.Result = Open
		} else if s.Hash == s.Recorded {
			s.Result = Same
		}
	}
}

// explain finds out whether a scenario that does not pass with this version of Kubernetes says so.
func (s *Scenario) explain() {
	if !other || s.Result == Passes {
		return
	}
	scenario, err := library.Load(s.Name)
	if err != nil {
		return
	}
	if why := annotation.Differs(scenario.Metadata.Annotations, controllers.KubernetesVersion); why != "" {
		s.Result, s.Hash, s.Error = Expected, "", why
	}
}

// NewReport counts the results.
func NewReport(list []Scenario) *Report {
	report := &Report{
		Build: exact.Build(), KubernetesVersion: controllers.KubernetesVersion, Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Scenarios: list,
	}
	for _, s := range list {
		switch s.Result {
		case Same, Passes:
			report.Same++
		case Differs, Error:
			report.Differs++
		}
	}
	return report
}
