package why

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/kubestep/kubestep/sim/trace"
)

// mostNamed is how many objects a reason names; more are counted.
const mostNamed = 3

// remaining are the objects of a namespace that is being deleted, those with finalizers first.
func (i *Instant) remaining(namespace string) string {
	var finalized, others []trace.Object
	for _, o := range i.rec.ObjectsAt(i.seq) {
		if o.Namespace != namespace || strings.HasPrefix(o.Resource, "events") {
			continue
		}
		if object, err := meta.Accessor(i.object(o)); err == nil && len(object.GetFinalizers()) > 0 {
			finalized = append(finalized, o)
		} else {
			others = append(others, o)
		}
	}
	switch {
	case len(finalized) > 0:
		object, _ := meta.Accessor(i.object(finalized[0]))
		return fmt.Sprintf("%s remain, with finalizers such as %s", namesOf(finalized), object.GetFinalizers()[0])
	case len(others) > 0:
		return namesOf(others) + " remain"
	}
	return ""
}

// deleted is the write that set the deletionTimestamp of an object, or 0.
func (i *Instant) deleted(o trace.Object) int64 {
	versions := i.rec.Versions(o)
	for n := 0; n <= i.rec.VersionAt(o, i.seq); n++ {
		metadata, _ := i.rec.Replay.ObjectVersion(o, versions[n].RV)["metadata"].(map[string]any)
		if metadata["deletionTimestamp"] != nil {
			return versions[n].Seq
		}
	}
	return 0
}

// namesOf lists objects by name.
func namesOf(objects []trace.Object) string {
	var texts []string
	for _, o := range objects[:min(len(objects), mostNamed)] {
		texts = append(texts, trace.ObjectName(o))
	}
	text := strings.Join(texts, ", ")
	if more := len(objects) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if text == "" {
		return "none"
	}
	return text
}
