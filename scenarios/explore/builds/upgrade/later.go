package upgrade

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	registrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Later runs a scenario until a virtual time, and returns a scenario that begins there and runs for a while.
func Later(s *format.Scenario, options runner.RunOptions, at, length time.Duration) (*format.Scenario, error) {
	seed := s.Spec.Seed
	if options.Seed != nil {
		seed = *options.Seed
	}
	drawn := *verb.Draw(s, seed)
	first := drawn
	first.Spec.Horizon = notation.Duration{Duration: at}
	builder := recording.NewBuilder()
	options.Sinks = append(options.Sinks, builder.Sink)
	// Steps that have not happened are no failure; no fault is left out.
	options.WithoutFaults = func(string) bool { return false }
	plan, err := runner.Prepare(&first, slices.Sorted(maps.Keys(options.Controllers))...)
	if err != nil {
		return nil, err
	}
	outcome, err := plan.Run(options)
	if err != nil {
		return nil, err
	}
	rec := builder.Done(recording.Origin{Seed: seed}, outcome.TraceHash)
	objects, err := manifests(s.Kinds(), outcome.State)
	if err != nil {
		return nil, err
	}
	later := drawn
	later.Metadata.Name += "-later"
	left := controllers.KubernetesVersion
	later.Spec.Title = fmt.Sprintf("%s, from %s on, as Kubernetes %s left it", s.Spec.Title, trace.Seconds(at), left)
	later.Spec.About = ""
	// Another seed, so that new uids and names differ from those that exist, in each future of the scenario.
	if begun := len(outcome.Futures); begun > 0 {
		seed = outcome.Futures[begun-1].Seed
	}
	if later.Spec.Futures, err = unbegun(&drawn, outcome.Unbegun, at, length); err != nil {
		return nil, err
	}
	later.Spec.Seed = int64(engine.Hash(uint64(seed), "later") >> 33)
	later.Spec.Start = rec.Epoch().Add(at)
	later.Spec.Horizon = notation.Duration{Duration: length}
	later.Spec.Cluster.Nodes, later.Spec.Cluster.Definitions, later.Spec.Cluster.Objects = []format.NodePool{}, "", objects
	later.Spec.Cluster.Load = loads(drawn.Spec.Cluster.Load, at)
	later.Spec.Faults, later.Spec.Checks, later.Spec.Invariants = nil, nil, format.Invariants{Skip: drawn.Spec.Invariants.Expect}
	later.Spec.Steps = remaining(drawn.Spec.Steps, rec, at, length)
	return &later, nil
}

// unbegun are the futures that begin between a time and the end, counted from there. Seeds are those of the futures that have not begun.
func unbegun(s *format.Scenario, seeds []int64, at, length time.Duration) (left []format.Future, err error) {
	seeds = slices.Clone(seeds)
	// Several futures may have one seed: those that begin at a time are known by it.
	for _, f := range s.Spec.Futures {
		if i := slices.Index(seeds, f.Seed); i >= 0 && f.From != nil && f.From.Duration > at {
			seeds = slices.Delete(seeds, i, i+1)
		}
	}
	for i, f := range s.Spec.Futures {
		switch {
		case f.From != nil && (f.From.Duration <= at || f.From.Duration >= at+length), f.From == nil && !slices.Contains(seeds, f.Seed):
			continue
		case f.From != nil:
			f.From = &notation.Duration{Duration: f.From.Duration - at}
		case f.Record != nil:
			return nil, s.Errorf(format.FuturePath(i)+".record", "from: 5.15s",
				"the records of a run that begins at %s have other numbers", trace.Seconds(at))
		}
		left = append(left, f)
	}
	return left, nil
}

// remaining are the steps that have not happened at a time, counted from there, and that happen before the end. One that
// waits may still do so. What asks the reader is left out.
func remaining(steps []format.Step, rec *recording.Recording, at, length time.Duration) []format.Step {
	starts := branch.Starts(steps, rec)
	next := branch.Next(steps, starts, at)
	var rest []format.Step
	for i, st := range steps {
		start, begun := starts[i]
		switch begun = begun && start <= at; {
		case st.Concurrent && begun:
		case i >= next || st.Concurrent:
			rest = append(rest, st)
		case i == next-1 && branch.Waits(st):
			st.At, st.After, st.When = nil, nil, ""
			rest = append(rest, st)
		case st.Verb.Keyword() == "load":
			// The load is no object: it is as high as the last such step has set it.
			st.At, st.After, st.When = nil, nil, ""
			rest = append(rest, st)
		}
	}
	for i := range rest {
		if rest[i].At != nil {
			rest[i].At = &notation.Duration{Duration: max(0, rest[i].At.Duration-at)}
			if rest[i].At.Duration >= length {
				rest = rest[:i]
				break
			}
		}
		if i == 0 && rest[i].After != nil && next > 0 {
			rest[i].After = &notation.Duration{Duration: max(0, starts[next-1]+rest[i].After.Duration-at)}
		}
	}
	return branch.Untold(rest)
}

// loads are the loads from a time on.
func loads(all []format.PodLoad, at time.Duration) (later []format.PodLoad) {
	for _, load := range all {
		var levels []format.LoadLevel
		for _, level := range load.Levels {
			since := time.Duration(0)
			if level.At != nil {
				since = max(0, level.At.Duration-at)
			}
			if since == 0 {
				levels = nil // a later level replaces it
			}
			level.At = &notation.Duration{Duration: since}
			levels = append(levels, level)
		}
		load.Levels = levels
		later = append(later, load)
	}
	return later
}

// apiServices are made again by the API server that starts on the objects. Those of users are for servers that there are not.
var apiServices = schema.GroupResource{Group: registrationv1.GroupName, Resource: "apiservices"}

// manifests are all objects in the store as YAML documents, in the order in which they were written last, without APIServices.
func manifests(table *kinds.Table, state *sim.State) (string, error) {
	type document struct {
		revision uint64
		text     []byte
	}
	var documents []document
	for _, resource := range state.Resources() {
		if resource == apiServices {
			continue
		}
		for _, object := range state.List(resource, "") {
			accessor, err := meta.Accessor(object)
			if err != nil {
				return "", err
			}
			content, err := contentOf(object)
			if err != nil {
				return "", err
			}
			if kind := table.Of(resource); kind != nil && content["kind"] == nil {
				content["apiVersion"], content["kind"] = kind.GroupVersion().String(), kind.Kind
			}
			text, err := sigsyaml.Marshal(content)
			if err != nil {
				return "", err
			}
			revision, _ := strconv.ParseUint(accessor.GetResourceVersion(), 10, 64)
			documents = append(documents, document{revision, text})
		}
	}
	slices.SortStableFunc(documents, func(a, b document) int { return cmp.Compare(a.revision, b.revision) })
	var out bytes.Buffer
	for _, d := range documents {
		out.WriteString("---\n")
		out.Write(d.text)
	}
	return out.String(), nil
}

// contentOf is an object as JSON has it.
func contentOf(object runtime.Object) (content map[string]any, err error) {
	data, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(data, &content)
	}
	return content, err
}
