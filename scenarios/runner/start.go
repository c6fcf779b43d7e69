package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
)

// startHorizon is how long Start runs: until controllers run that wait for a lease, and watch.
const startHorizon = 10 * time.Second

// startEventsMax bounds the work of Start: it counts events, so the result is the same on every machine. That is about 40 seconds of
// a processor, and enough for all controllers with a thousand nodes. It is a variable for a test.
var startEventsMax int64 = 500_000

// Start starts the cluster and the controllers, without the steps and the faults of the scenario. It finds what nobody but
// the constructors of the controllers checks; that error is the one of Run. The warnings are about faults that cannot apply
// to anything, and so most likely are mistakes.
func (p *Plan) Start(options RunOptions) (warnings source.ErrorList, err error) {
	s := p.scenario
	r := &run{scenario: s, seed: s.Spec.Seed, conditions: p.fresh(), without: verb.AllFaults}
	r.custom = customControllers(s, options.Controllers)
	restore, err := setFeatureGates(s)
	if err != nil {
		return nil, err
	}
	defer restore()
	if options.Progress == nil {
		options.Progress = &engine.Progress{}
	}
	watched := map[string]bool{}
	if err := r.inBubble(func() error {
		if err := r.open(options); err != nil {
			return err
		}
		defer r.sim.End()
		if err := r.populate(); err != nil {
			return err
		}
		r.sim.OnWatch(func(stream *network.Stream) { watched[stream.Resource] = true })
		if err := r.startControllers(); err != nil {
			return err
		}
		spent := false
		r.sim.Engine.OnQuiet(func() {
			if spent = spent || options.Progress.Events.Load() > startEventsMax; spent {
				r.sim.Engine.Stop()
			}
		})
		r.sim.Run(min(startHorizon, s.Spec.Horizon.Duration))
		if spent {
			return &limits.WorkError{
				Message: fmt.Sprintf("%s: to start its cluster takes more than %d events, too much for a check; it is at virtual time %s",
					s.Path(), startEventsMax, time.Duration(options.Progress.Virtual.Load()).Round(time.Millisecond)),
				Try: "fewer nodes and objects, or kubestep run, which has --timeout and --max-memory",
			}
		}
		if err := r.control.Err(); err != nil {
			return controllerError(s, err)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return idleFaults(s, watched), nil
}

// idleFaults are the faults of watches that nobody opens. watched are the resources that somebody watches.
func idleFaults(s *format.Scenario, watched map[string]bool) (list source.ErrorList) {
	s.EachFault(func(at string, f *format.FaultRule) {
		if f.Watch == nil {
			return
		}
		resource, group := verb.ResourceOf(s.Kinds(), f.Watch.Resource)
		if resource != "" && !watched[schema.GroupResource{Group: group, Resource: resource}.String()] {
			list = append(list, s.Errorf(at+".watch.resource", "spec.kubernetes.controllers with one that watches "+resource,
				"the fault never applies: nobody watches %s in this scenario", resource))
		}
	})
	return list
}

// word is what can be the name of a field in an error.
var word = regexp.MustCompile(`[A-Za-z]+`)

// controllerError places what a controller says about its configuration at the field that it means, as far as its text
// tells: by the name of the field, or by its value.
func controllerError(s *format.Scenario, err error) error {
	const path, try = "spec.kubernetes.config", "another value, or remove the field"
	config := s.Spec.Kubernetes.Config
	for _, name := range word.FindAllString(err.Error(), -1) {
		if field := configField(config, []string{name}); field != nil {
			return s.Place(source.Problem(try, "%v", err), path, source.Position{Line: field.Line, Column: field.Column})
		}
	}
	if value := configValue(config, err.Error()); value != nil {
		return s.Place(source.Problem(try, "%v", err), path, source.Position{Line: value.Line, Column: value.Column})
	}
	return s.Errorf("spec.kubernetes", "", "%v", err)
}

// separatesWords reports whether a character separates words of a message.
func separatesWords(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("()[]\"'`,;", r) }

// configValue finds a text in a configuration that is one of the words of a message.
func configValue(node *yaml.Node, message string) *yaml.Node {
	if node == nil {
		return nil
	}
	if node.Kind == yaml.ScalarNode && node.Tag == "!!str" && slices.Contains(strings.FieldsFunc(message, separatesWords), node.Value) {
		return node
	}
	for i, below := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 0 {
			continue
		}
		if found := configValue(below, message); found != nil {
			return found
		}
	}
	return nil
}
