package decision

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// versions are what the versions of objects say that have not been deleted, by uid.
type versions[T comparable] map[types.UID]*knowledge.History[T]

// follow takes a write.
func (v versions[T]) follow(c *Change, object metav1.Object, value T) {
	uid := object.GetUID()
	if c.Op == memdb.OpDelete {
		delete(v, uid)
		return
	}
	h := v[uid]
	if h == nil {
		h = &knowledge.History[T]{}
		v[uid] = h
	}
	if c.Previous == nil || len(*h) == 0 || h.Newest() != value {
		h.Add(c.Revision, value)
	}
}

// in are the values of a span; none if the object does not exist.
func (v versions[T]) in(uid types.UID, s knowledge.Span) []T {
	if h := v[uid]; h != nil {
		return h.In(s)
	}
	return nil
}

// all reports whether the object exists, and all of its versions in a span meet a condition.
func (v versions[T]) all(uid types.UID, s knowledge.Span, condition func(*T) bool) bool {
	h := v[uid]
	return h != nil && h.All(s, condition)
}

// generations are the versions of objects with different specs.
type generations[T specified] struct{ versions[T] }

// specified is an object with a spec.
type specified interface {
	comparable
	metav1.Object
}

func newGenerations[T specified]() generations[T] { return generations[T]{versions[T]{}} }

// follow takes a write.
func (g generations[T]) follow(c *Change, object T) {
	h := g.versions[object.GetUID()]
	if h != nil && c.Op != memdb.OpDelete && h.Newest().GetGeneration() == object.GetGeneration() {
		return
	}
	g.versions.follow(c, object, object)
}
