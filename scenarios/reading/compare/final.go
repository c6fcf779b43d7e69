package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// FinalPair is an object whose last state differs, or all those with a generated name of one pattern.
type FinalPair struct {
	trace.Object
	// Role tells objects of one pattern apart.
	Role Role `json:"role,omitempty"`
	// Bare means that no controller makes another one if one is gone.
	Bare bool `json:"-"`
	// Traits are those of the objects on both sides.
	Traits []Trait `json:"-"`
	// A and B are how many there are.
	A int `json:"a"`
	B int `json:"b"`
	// Fields differ; they are compared only where there are as many on both sides.
	Fields []FieldPair `json:"fields,omitempty"`
}

// FieldPair is a field that differs. Of several objects, the values are counted.
type FieldPair struct {
	Path string `json:"path"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// untold are resources whose objects only tell of others.
var untold = map[string]bool{"events": true, "events.events.k8s.io": true}

// kind is what the objects of a group have in common.
type kind struct {
	trace.Object
	role Role
}

// group are the objects of one pattern and role at the end: how many, and for each field how often it has a value.
type group struct {
	count  int
	bare   bool
	traits []Trait
	fields map[string]map[string]int
}

// End is what a run left, without what the seed draws: the objects of each pattern.
type End map[kind]*group

// End returns what the run left whose records these decisions are from.
func (d *Decisions) End(objects iter.Seq2[trace.Object, map[string]any]) End {
	return endOf(objects, d.names.restarts(objects))
}

// EndAsNamed returns the same for a comparison with a run that has the same templates: hashes are as they are.
func (d *Decisions) EndAsNamed(objects iter.Seq2[trace.Object, map[string]any]) End {
	return endOf(objects, d.names)
}

func endOf(objects iter.Seq2[trace.Object, map[string]any], names names) End {
	end, cast, traits := End{}, newCast(objects), newTraits(objects)
	for object, content := range objects {
		if untold[object.Resource] {
			continue
		}
		of := kind{names.object(object), cast.role(object, content)}
		if of.role == OfCronJob {
			of.Name = timeless(of.Name)
		}
		g := end[of]
		if g == nil {
			g = &group{fields: map[string]map[string]int{}}
			end[of] = g
		}
		kind, _ := controllerOf(content)
		g.count, g.bare = g.count+1, kind == ""
		g.traits = append(g.traits, traits.of(object, content)...)
		g.flatten(names, "", content)
	}
	return end
}

// hasEnded reports whether all of the Pods have ended.
func (g *group) hasEnded() bool {
	phases := g.fields["status.phase"]
	return g.count > 0 && phases[string(corev1.PodFailed)]+phases[string(corev1.PodSucceeded)] == g.count
}

// crashLoopBackOff is the reason for which a container waits whose kubelet does not restart it yet: ErrCrashLoopBackOff in
// k8s.io/kubernetes/pkg/kubelet/container.
const crashLoopBackOff = "CrashLoopBackOff"

// isInCrashLoop reports whether a container of the Pods waits for the back-off of its restarts, or has exited after a restart and is to
// be started again.
func (g *group) isInCrashLoop() bool {
	exited, restarted := false, false
	for path, values := range g.fields {
		switch {
		case strings.HasSuffix(path, "].state.waiting.reason") && values[crashLoopBackOff] > 0:
			return true
		case strings.HasSuffix(path, "].state.terminated.exitCode"):
			exited = true
		case strings.HasSuffix(path, "].lastState.terminated.exitCode"):
			restarted = true
		}
	}
	return exited && restarted && g.fields["status.phase"][string(corev1.PodRunning)] == g.count
}

// FailsAlone reports whether a Pod has failed in B that has not in A, and no controller makes another one.
func (p FinalPair) FailsAlone() bool {
	return p.Resource == pods && p.Bare && (p.B < p.A || slices.ContainsFunc(p.Fields, func(f FieldPair) bool {
		return f.Path == "status.phase" && f.B == string(corev1.PodFailed)
	}))
}

// Compare compares what two runs left.
func (e End) Compare(other End) []FinalPair {
	var pairs []FinalPair
	for _, of := range keys(e, other, compareKinds) {
		x, y := e[of], other[of]
		if x == nil || y == nil {
			x, y = cmp.Or(x, &group{}), cmp.Or(y, &group{})
		}
		pair := FinalPair{Object: of.Object, Role: of.role, Bare: x.bare || y.bare, A: x.count, B: y.count}
		pair.Traits = append(slices.Clone(x.traits), y.traits...)
		if of.Resource == pods && x.hasEnded() && y.hasEnded() {
			pair.Traits = append(pair.Traits, EndedAlike)
		}
		if of.Resource == pods && x.isInCrashLoop() && y.isInCrashLoop() {
			pair.Traits = append(pair.Traits, CrashLoops)
		}
		if x.count == y.count {
			pair.Fields = compareFields(x, y)
		}
		if x.count != y.count || len(pair.Fields) > 0 {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

func compareKinds(a, b kind) int {
	return cmp.Or(compareObjects(a.Object, b.Object), cmp.Compare(a.role, b.role))
}

func compareFields(a, b *group) []FieldPair {
	var pairs []FieldPair
	for _, path := range keys(a.fields, b.fields, cmp.Compare[string]) {
		if !maps.Equal(a.fields[path], b.fields[path]) {
			pairs = append(pairs, FieldPair{path, counted(a.fields[path], a.count), counted(b.fields[path], b.count)})
		}
	}
	return pairs
}

// counted describes the values of a field, and how often each occurs: in how many of the objects, or in how many elements of a list that
// have the same key, such as the endpoints of the Pods of a ReplicaSet.
func counted(values map[string]int, objects int) string {
	var texts []string
	for _, value := range slices.Sorted(maps.Keys(values)) {
		text := value
		if n := values[value]; objects > 1 || n > 1 {
			text += " x" + strconv.Itoa(n)
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return "none"
	}
	return strings.Join(texts, ", ")
}

// objects are those that the recording ends with.
func (s *Side) objects(yield func(trace.Object, map[string]any) bool) {
	for _, resource := range s.rec.Replay.Resources() {
		for _, object := range s.rec.Replay.Objects(resource, math.MaxInt64-1) {
			if !yield(object, s.rec.Replay.Object(object)) {
				return
			}
		}
	}
}

// flatten counts the values of an object's fields.
func (g *group) flatten(names names, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, field := range v {
			if key == "resourceVersion" || key == "uid" || key == "managedFields" {
				continue
			}
			g.flatten(names, strings.TrimPrefix(path+"."+key, "."), field)
		}
	case []any:
		for i, element := range v {
			g.flatten(names, path+"["+elementKey(names, i, element)+"]", element)
		}
	case string:
		g.add(path, names.value(v))
	default:
		data, _ := json.Marshal(v)
		g.add(path, string(data))
	}
}

func (g *group) add(path, value string) {
	if g.fields[path] == nil {
		g.fields[path] = map[string]int{}
	}
	g.fields[path][value]++
}

// elementKey names an element of a list by its type or its name, a taint by its key and its effect, or an endpoint by the name of its Pod,
// which tell more than its place.
func elementKey(names names, i int, element any) string {
	if m, ok := element.(map[string]any); ok {
		for _, key := range []string{"type", "name"} {
			if name, ok := m[key].(string); ok {
				if pattern, ok := tokenVolume(name); ok {
					name = pattern
				}
				return fmt.Sprintf("%s=%s", key, cmp.Or(names[name], name))
			}
		}
		if key, ok := m["key"].(string); ok {
			if effect, ok := m["effect"].(string); ok {
				return "key=" + key + ":" + effect
			}
		}
		if pod, ok := field(m, "targetRef", "name").(string); ok {
			return "targetRef=" + names.name(pod)
		}
	}
	return strconv.Itoa(i)
}
