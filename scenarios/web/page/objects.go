package page

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
)

// object is an object of the store.
type object struct {
	// Owner is the index of its owner, -1 if it has none.
	Owner int    `json:"owner"`
	RV    uint64 `json:"rv"`
	Note  string `json:"note,omitempty"`
}

// objectNames are the names of all objects of the recording, of which each is known by its index from here on.
func (m *maker) objectNames() []string {
	names := []string{}
	for i, o := range m.Objects() {
		m.indexes[o] = i
		plural, _, _ := strings.Cut(o.Resource, ".")
		name := plural + "/" + o.Name
		if o.Namespace != "" && o.Namespace != "default" {
			name += " -n " + o.Namespace
		}
		names = append(names, name)
	}
	return names
}

// store adds the objects to the parts of a beat that differ from those after the beat before; nil is one that is gone. Most differ
// rarely, and a large store has many.
func (m *maker) store(at *scene.Beat, parts map[string]any) {
	objects := make(map[int]object, len(m.objects))
	for _, o := range at.Objects() {
		owner, owned := m.indexes[o.Owner]
		if !owned {
			owner = -1
		}
		i, part := m.indexes[o.Object], object{owner, o.RV, o.Note}
		if before, ok := m.objects[i]; !ok || before != part {
			parts[fmt.Sprint("object", i)] = part
		}
		objects[i] = part
	}
	for i := range m.objects {
		if _, ok := objects[i]; !ok {
			parts[fmt.Sprint("object", i)] = nil
		}
	}
	m.objects = objects
}
