package verb

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/engine"
)

// Draw returns the scenario with the numbers of nodes, and the times and sizes of its steps, that a seed draws. As with
// faults, a draw depends on what the step does, and not on its position.
func Draw(s *format.Scenario, seed int64) *format.Scenario {
	steps := slices.ContainsFunc(s.Spec.Steps, func(st format.Step) bool { return st.Draw != nil })
	pools := slices.ContainsFunc(s.Spec.Cluster.Nodes, func(pool format.NodePool) bool { return pool.Draw != nil })
	if !steps && !pools {
		return s
	}
	drawn, equal := *s, map[string]int{}
	drawn.Spec.Cluster.Nodes = slices.Clone(s.Spec.Cluster.Nodes)
	for i := range drawn.Spec.Cluster.Nodes {
		if pool := &drawn.Spec.Cluster.Nodes[i]; pool.Draw != nil {
			span := pool.Draw.Count
			uniform := uniformFrom(seed, fmt.Sprintf("nodes|draw|%s|%s", pool.Prefix, pool.Zone))
			pool.Count, pool.Draw = int(uniform("count", int64(span.Min), int64(span.Max))), nil
		}
	}
	drawn.Spec.Steps = slices.Clone(s.Spec.Steps)
	for i := range drawn.Spec.Steps {
		step := &drawn.Spec.Steps[i]
		if step.Draw == nil || step.Verb == nil {
			continue
		}
		id := step.Verb.Keyword() + " " + step.Verb.String()
		equal[id]++
		uniform := uniformFrom(seed, fmt.Sprintf("step|draw|%s|%d", id, equal[id]))
		drawStep(step, uniform)
	}
	return &drawn
}

// uniformFrom returns a function that draws a number from lo to hi, both included.
func uniformFrom(seed int64, id string) func(key string, lo, hi int64) int64 {
	return func(key string, lo, hi int64) int64 {
		return lo + int64(engine.Hash(uint64(seed), id+"|"+key)%uint64(hi-lo+1))
	}
}

func drawStep(step *format.Step, uniform func(key string, lo, hi int64) int64) {
	d := step.Draw
	step.Draw = nil
	step.At = drawTime(step.At, d.At, "at", uniform)
	step.After = drawTime(step.After, d.After, "after", uniform)
	if d.Restart != nil {
		step.Verb = withSpan(step.Verb, "restartAfter", drawTime(nil, d.Restart, "restartAfter", uniform))
	}
	if d.Replicas != nil {
		step.Verb = withSize(step.Verb, "replicas", int(uniform("replicas", int64(d.Replicas.Min), int64(d.Replicas.Max))))
	}
	if d.Count != nil {
		step.Verb = withSize(step.Verb, "count", int(uniform("count", int64(d.Count.Min), int64(d.Count.Max))))
	}
}

// drawTime draws a time from a range; without a range it is what it was.
func drawTime(
	was *notation.Duration, space *notation.Delay, key string, uniform func(key string, lo, hi int64) int64,
) *notation.Duration {
	if space == nil {
		return was
	}
	drawn := time.Duration(uniform(key, int64(space.Min), int64(space.Max)))
	if space.Max-space.Min >= time.Second {
		drawn = drawn.Truncate(time.Millisecond)
	}
	return &notation.Duration{Duration: max(drawn, space.Min)}
}

// withSpan is a verb with another duration in a field.
func withSpan(v format.Verb, field string, span *notation.Duration) format.Verb {
	out := reflect.New(reflect.TypeOf(v).Elem())
	out.Elem().Set(reflect.ValueOf(v).Elem())
	out.Elem().Field(format.SpanField(v, field)).Set(reflect.ValueOf(span))
	return out.Interface().(format.Verb)
}

// withSize is a verb with another number in a field, or in the workloads of its manifests.
func withSize(v format.Verb, field string, n int) format.Verb {
	out := reflect.New(reflect.TypeOf(v).Elem())
	out.Elem().Set(reflect.ValueOf(v).Elem())
	if out.Elem().Kind() == reflect.String {
		out.Elem().SetString(withReplicas(out.Elem().String(), n))
	} else {
		out.Elem().Field(format.SizeField(v, field)).SetInt(int64(n))
	}
	return out.Interface().(format.Verb)
}

// withReplicas sets spec.replicas of the workloads in manifests: of the objects with a Pod template.
func withReplicas(manifests string, n int) string {
	var out []string
	decoder := yaml.NewDecoder(strings.NewReader(manifests))
	for {
		var object map[string]any
		if decoder.Decode(&object) != nil {
			return strings.Join(out, "---\n")
		}
		if spec, ok := object["spec"].(map[string]any); ok && spec["template"] != nil {
			spec["replicas"] = n
		}
		text, err := yaml.Marshal(object)
		if err != nil {
			panic("verb: a manifest that was read cannot be written: " + err.Error())
		}
		out = append(out, string(text))
	}
}
