package why

import (
	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Kinds are Kubernetes' own kinds, and those that are defined in the run.
func (h *History) Kinds() *kinds.Table {
	crds := definition.Kind.GroupResource().String()
	var texts []string
	for record := range h.rec.Of(trace.KindRequest) {
		for _, w := range record.Request.Writes {
			if w.Resource == crds && w.Op == trace.OpCreate {
				texts = append(texts, string(w.New))
			}
		}
	}
	return definition.Table(texts...)
}
