package kinds

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Table is a set of kinds. It does not change, so any goroutine may ask it.
type Table struct {
	kinds []*Kind
	named map[string][]*Kind
	ranks map[*Kind]int
}

var builtInTable = NewTable(builtIn...)

// BuiltIn is the table of Kubernetes' own kinds.
func BuiltIn() *Table { return builtInTable }

// NewTable makes a table. Where two kinds have one name, as Event has in two groups, the name alone means the first.
func NewTable(rows ...Kind) *Table {
	t := &Table{named: map[string][]*Kind{}, ranks: map[*Kind]int{}}
	for i := range rows {
		k := &rows[i]
		t.kinds, t.ranks[k] = append(t.kinds, k), i
		names := k.Names()
		// The singular name of a custom resource need not be that of its kind.
		if kind := strings.ToLower(k.Kind); !slices.Contains(names, kind) {
			names = append(names, kind)
		}
		for _, name := range names {
			t.named[name] = append(t.named[name], k)
		}
	}
	return t
}

// With is the table with more rows at its end.
func (t *Table) With(rows ...Kind) *Table {
	var all []Kind
	for _, k := range t.kinds {
		all = append(all, *k)
	}
	return NewTable(append(all, rows...)...)
}

// All lists the kinds in the order in which people look for them: workloads and what belongs to them first, then the
// others by group and name. Owners come before what they own.
func (t *Table) All() []*Kind { return slices.Clone(t.kinds) }

// Which lists the kinds of which something is true.
func (t *Table) Which(is func(*Kind) bool) []*Kind {
	return slices.DeleteFunc(t.All(), func(k *Kind) bool { return !is(k) })
}

// Named finds a kind by any name that kubectl takes, in any case: Deployment, deployments, deploy, deployments.apps and
// deployments.v1.apps. It returns nil for a name that nothing has.
func (t *Table) Named(name string) *Kind {
	name, qualifier, qualified := strings.Cut(strings.ToLower(name), ".")
	for _, k := range t.named[name] {
		if !qualified || k.is(qualifier) {
			return k
		}
	}
	return nil
}

// Of finds the kind that is stored under a resource, nil if none is.
func (t *Table) Of(resource schema.GroupResource) *Kind {
	for _, k := range t.named[resource.Resource] {
		if k.Group == resource.Group && k.Resource == resource.Resource {
			return k
		}
	}
	return nil
}

// Serving finds the kind of an object with this version and kind, nil if the API server does not serve it.
func (t *Table) Serving(gvk schema.GroupVersionKind) *Kind {
	for _, k := range t.named[strings.ToLower(gvk.Kind)] {
		if k.Group == gvk.Group && k.Kind == gvk.Kind && slices.Contains(k.Versions, gvk.Version) {
			return k
		}
	}
	return nil
}

// Rank is the place of a resource in the order of All; of one that is not in the table, the place behind all.
func (t *Table) Rank(resource schema.GroupResource) int {
	if rank, ok := t.ranks[t.Of(resource)]; ok {
		return rank
	}
	return len(t.kinds)
}

// Names lists all names of all kinds, in the order of All.
func (t *Table) Names() []string {
	var names []string
	for _, k := range t.kinds {
		names = append(names, k.Names()...)
	}
	return names
}
