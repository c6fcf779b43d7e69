package arithmetic

import (
	"fmt"
	"slices"
)

// Action is what a sync asks the API server to do: a number of requests that are alike. Requests that only read, and those
// that write a status, are no actions.
type Action struct {
	Verb     string `json:"verb"`
	Resource string `json:"resource"`
	Count    int    `json:"count"`
	// Names are those of the objects, sorted. There are none if the API server chooses the names, or if it does not matter
	// which objects they are.
	Names []string `json:"names,omitempty"`
	// Size is the number of replicas that an update of a scale sets.
	Size *int32 `json:"size,omitempty"`
}

// String is like "create 3 pods", "delete pods db-1" or "update deployments/scale web to 4".
func (a Action) String() string {
	if a.Size != nil {
		return fmt.Sprintf("%s %s %s to %d", a.Verb, a.Resource, Few(a.Names), *a.Size)
	}
	if len(a.Names) > 0 {
		return fmt.Sprintf("%s %s %s", a.Verb, a.Resource, Few(a.Names))
	}
	return fmt.Sprintf("%s %d %s", a.Verb, a.Count, a.Resource)
}

// Act adds an action, or to one of its kind; none if the count is 0.
func (e *Explanation) Act(verb, resource string, count int, names ...string) {
	if count == 0 {
		return
	}
	names = slices.Sorted(slices.Values(names))
	for n := range e.Actions {
		if a := &e.Actions[n]; a.Verb == verb && a.Resource == resource {
			a.Count += count
			if a.Names != nil && names != nil {
				a.Names = slices.Sorted(slices.Values(append(a.Names, names...)))
			} else {
				a.Names = nil
			}
			return
		}
	}
	e.Actions = append(e.Actions, Action{Verb: verb, Resource: resource, Count: count, Names: names})
}

// Resize adds the update of a scale: of deployments/scale, for example.
func (e *Explanation) Resize(resource, name string, size int32) {
	e.Actions = append(e.Actions, Action{Verb: "update", Resource: resource, Count: 1, Names: []string{name}, Size: &size})
}
