package scene

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Object is an object in the store, with its owner.
type Object struct {
	recording.Kin
	// RV is its resourceVersion. Changed says that the record wrote it.
	RV      uint64
	Changed bool
}

// asides are resources that tell about others.
var asides = map[string]bool{"events": true, "events.events.k8s.io": true, "leases.coordination.k8s.io": true}

// definitions are listed behind all others.
const definitions = "customresourcedefinitions.apiextensions.k8s.io"

// rank is the place of a resource among others: custom resources come first, since they own workloads rather than belong to one.
func rank(o trace.Object) int {
	resource := schema.ParseGroupResource(o.Resource)
	if kinds.BuiltIn().Of(resource) == nil && o.Resource != definitions {
		return -1
	}
	return kinds.BuiltIn().Rank(resource)
}

// Objects are all that are ever in the store, in the order in which they are listed, without those that tell about others.
func (s *Scenes) Objects() []trace.Object {
	objects := slices.DeleteFunc(slices.Clone(s.Rec.Caches.Store().Objects()), func(o trace.Object) bool { return asides[o.Resource] })
	slices.SortStableFunc(objects, func(a, b trace.Object) int { return rank(a) - rank(b) })
	return objects
}

// Objects are those in the store, in the order in which they are listed, without those that tell about others.
func (b *Beat) Objects() []Object {
	var objects []Object
	for _, kin := range b.Rec.KinAt(b.Seq) {
		if !asides[kin.Object.Resource] {
			objects = append(objects, b.object(kin))
		}
	}
	slices.SortStableFunc(objects, func(a, b Object) int { return rank(a.Object) - rank(b.Object) })
	return objects
}

// Family is the tree of owners that an object belongs to, from the topmost owner down, each with the objects that it owns; empty if the
// object does not exist.
func (b *Beat) Family(o trace.Object) (family []Object) {
	for _, kin := range b.Rec.Family(o, b.Seq) {
		family = append(family, b.object(kin))
	}
	return family
}

func (b *Beat) object(kin recording.Kin) Object {
	version := b.Rec.Versions(kin.Object)[b.Rec.VersionAt(kin.Object, b.Seq)]
	return Object{kin, version.RV, version.Seq == b.Seq}
}
