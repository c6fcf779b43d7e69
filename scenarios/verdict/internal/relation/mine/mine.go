// Package mine proposes relations between objects: it looks at the ends of many runs for sentences that are true in each of them.
//
// Four forms of sentences are enough to find most relations that a person would write down:
//
//   - A reference: the values of a field are names of existing objects of a kind ("pods spec.nodeName -> nodes").
//   - A key: no two objects of a kind have the same value of a field ("services spec.clusterIP").
//   - An equation: two numbers of an object are equal ("replicasets.apps status.replicas = spec.replicas").
//   - An implication: one condition of an object is True only if another one is ("pods Ready => ContainersReady").
//
// What is true in all runs need not be a rule. It can be an accident of the scenarios, or follow from what the API server refuses. So a
// person decides: testdata/decisions.txt has each candidate, with the relation or the goal that it became, or the reason why it is
// refused.
package mine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// World has the objects at the end of a run, by resource.
type World map[string][]*unstructured.Unstructured

// Candidate is a sentence that is true in all worlds that have such objects.
type Candidate struct {
	// Text is the sentence, such as "reference pods spec.nodeName -> nodes".
	Text string
	// Times is how often it was true, and Worlds in how many worlds.
	Times, Worlds int
}

// Limits are how often a sentence must have been true to be a candidate. Those of few objects are accidents.
type Limits struct{ Times, Worlds int }

// Candidates lists the sentences that are true in all worlds, sorted.
func Candidates(worlds []World, limits Limits) []Candidate {
	tallies := map[string]*tally{}
	for _, world := range worlds {
		seen := map[string]*tally{}
		references(world, seen)
		keys(world, seen)
		for _, resource := range slices.Sorted(maps.Keys(world)) {
			for _, object := range world[resource] {
				fields := flatten(object.Object)
				equations(resource, fields, seen)
				implications(resource, object, seen)
			}
		}
		for text, here := range seen {
			total := tallies[text]
			if total == nil {
				total = &tally{}
				tallies[text] = total
			}
			total.add(here)
		}
	}
	var found []Candidate
	for _, text := range slices.Sorted(maps.Keys(tallies)) {
		if t := tallies[text]; t.isTelling(limits) {
			found = append(found, Candidate{text, t.times, t.worlds})
		}
	}
	return found
}

// tally counts how often a sentence was true.
type tally struct {
	times, worlds int
	// values are those for which it was true: a sentence about one value only, such as the number 0, is trivial.
	values map[string]bool
	wrong  bool
}

func of(seen map[string]*tally, text string) *tally {
	if seen[text] == nil {
		seen[text] = &tally{values: map[string]bool{}}
	}
	return seen[text]
}

// note notes one case.
func (t *tally) note(value string, holds bool) {
	t.times++
	t.values[value] = true
	t.wrong = t.wrong || !holds
}

// add adds the cases of one world.
func (t *tally) add(here *tally) {
	if t.values == nil {
		t.values = map[string]bool{}
	}
	t.times += here.times
	t.worlds++
	maps.Copy(t.values, here.values)
	t.wrong = t.wrong || here.wrong
}

// leastValues is how many values a sentence must have been true for.
const leastValues = 3

func (t *tally) isTelling(limits Limits) bool {
	return !t.wrong && t.times >= limits.Times && t.worlds >= limits.Worlds && len(t.values) >= leastValues
}

// references notes for each field with text which kinds have an object of that name.
func references(world World, seen map[string]*tally) {
	names := map[string]map[string]bool{}
	for resource, objects := range world {
		names[resource] = map[string]bool{}
		for _, object := range objects {
			names[resource][object.GetNamespace()+"/"+object.GetName()] = true
		}
	}
	for resource, objects := range world {
		for _, object := range objects {
			for _, field := range flatten(object.Object) {
				text, isText := field.value.(string)
				if !isText || text == "" || strings.HasPrefix(field.path, "metadata.name") {
					continue
				}
				for target := range world {
					holds := names[target][object.GetNamespace()+"/"+text] || names[target]["/"+text]
					of(seen, fmt.Sprintf("reference %s %s -> %s", resource, field.path, target)).note(text, holds)
				}
			}
		}
	}
}

// keys notes for each field whether two objects have the same value.
func keys(world World, seen map[string]*tally) {
	for resource, objects := range world {
		first := map[string]string{}
		for _, object := range objects {
			id := object.GetNamespace() + "/" + object.GetName()
			for _, field := range flatten(object.Object) {
				value := fmt.Sprint(field.value)
				if value == "" || strings.HasPrefix(field.path, "metadata.") {
					continue
				}
				other, taken := first[field.path+"\x00"+value]
				first[field.path+"\x00"+value] = id
				of(seen, fmt.Sprintf("key %s %s", resource, field.path)).note(value, !taken || other == id)
			}
		}
	}
}

// equations notes for each pair of numbers of an object whether they are equal.
func equations(resource string, fields []field, seen map[string]*tally) {
	for i, a := range fields {
		x, isNumber := a.value.(int64)
		if !isNumber || strings.Contains(a.path, "[]") {
			continue
		}
		for _, b := range fields[i+1:] {
			if y, isNumber := b.value.(int64); isNumber && !strings.Contains(b.path, "[]") {
				of(seen, fmt.Sprintf("equation %s %s = %s", resource, a.path, b.path)).note(fmt.Sprint(x), x == y)
			}
		}
	}
}

// implications notes for each pair of conditions of an object whether the second one is True where the first one is.
func implications(resource string, object *unstructured.Unstructured, seen map[string]*tally) {
	status := map[string]string{}
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		kind, _ := condition["type"].(string)
		status[kind], _ = condition["status"].(string)
	}
	for a, is := range status {
		for b, other := range status {
			if a != b && is == "True" {
				of(seen, fmt.Sprintf("implication %s %s => %s", resource, a, b)).note(object.GetName(), other == "True")
			}
		}
	}
}
