package liveness

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/scenarios/verdict/internal/relation"
)

// relations are goals that an object shares with others: for each relation one for each kind of objects about which it says something.
// A relation is judged when it has not held for Patience, since a controller brings it about, and not a transaction.
func relations() []Goal {
	var goals []Goal
	for _, r := range relation.All() {
		for _, kept := range r.Of {
			goals = append(goals, Goal{
				Resource: kept.Resource, Controller: kept.Controller, Relation: r.Name, Sentence: r.Sentence, Upstream: r.Reference,
				lack: func(v *view, object runtime.Object) *Lack {
					breach := r.Broken(v.related(), object)
					if breach == nil {
						return nil
					}
					return &Lack{Missing: breach.Text, For: breach.For, Since: breach.Since}
				},
			})
		}
	}
	return goals
}

// related is a view of the same world for relations.
func (v *view) related() *relation.View {
	if v.relations == nil {
		v.relations = relation.NewView(v.World)
	}
	return v.relations
}
