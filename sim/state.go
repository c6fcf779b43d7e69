package sim

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// State is the content of the store, in the versions that clients see. Its objects are shared and must not be modified.
type State struct {
	tables map[schema.GroupResource]map[string]runtime.Object
	// Writes counts all writes so far; a caller can use it to invalidate cached results.
	Writes int
}

func newState() *State {
	return &State{tables: map[schema.GroupResource]map[string]runtime.Object{}}
}

func (s *State) apply(commits []apiserver.Commit) {
	for _, commit := range commits {
		s.write(commit)
	}
}

func (s *State) write(commit apiserver.Commit) {
	s.Writes++
	table := s.tables[commit.Resource.GroupResource()]
	if table == nil {
		table = map[string]runtime.Object{}
		s.tables[commit.Resource.GroupResource()] = table
	}
	accessor, err := meta.Accessor(commit.Object)
	if err != nil {
		panic("sim: a stored object without metadata: " + err.Error())
	}
	key := accessor.GetNamespace() + "/" + accessor.GetName()
	if commit.Op == memdb.OpDelete {
		delete(table, key)
		return
	}
	table[key] = commit.Object
}

// Get returns an object; namespace is empty for cluster-scoped resources.
func (s *State) Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool) {
	obj, ok := s.tables[resource][namespace+"/"+name]
	return obj, ok
}

// Resources lists the resources that have had objects, sorted.
func (s *State) Resources() []schema.GroupResource {
	return slices.SortedFunc(maps.Keys(s.tables), func(a, b schema.GroupResource) int { return cmp.Compare(a.String(), b.String()) })
}

// List returns all objects of a resource, sorted by namespace and name. An empty namespace means all.
func (s *State) List(resource schema.GroupResource, namespace string) []runtime.Object {
	table := s.tables[resource]
	keys := make([]string, 0, len(table))
	for key := range table {
		if namespace == "" || len(key) > len(namespace) && key[:len(namespace)+1] == namespace+"/" {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	objects := make([]runtime.Object, len(keys))
	for i, key := range keys {
		objects[i] = table[key]
	}
	return objects
}
