package why

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/trace"
)

// Parse reads a time or the number of a record; an empty text is the end. Errors are *source.Error.
func (h *History) Parse(text string) (*Instant, error) {
	end := h.rec.Len()
	last := max(h.rec.At(end), h.rec.End)
	if text == "" {
		return h.At(end, last), nil
	}
	if seq, err := strconv.ParseInt(text, 10, 64); err == nil && text != "0" {
		if h.rec.Record(seq) == nil {
			return nil, source.Problem(fmt.Sprintf("--at %d", end), "--at %d: the last record is %d", seq, end)
		}
		return h.At(seq, h.rec.At(seq)), nil
	}
	when, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return nil, source.Problem("--at 30s, or --at 412", "--at %q is not a time or a record", text)
	case when > last:
		return nil, source.Problem("--at "+trace.Seconds(last), "--at %s: the recording ends at %s", text, trace.Seconds(last))
	}
	return h.At(h.rec.Find(when), when), nil
}

// Find returns the object of a target, or a *source.Error that says when it exists, or which one may be meant.
func (i *Instant) Find(target notation.Target) (trace.Object, error) {
	o := trace.Object{Resource: target.Kind().GroupResource().String(), Namespace: target.Namespace, Name: target.Name}
	if i.rec.Replay.ObjectAt(o, i.seq) != nil {
		return o, nil
	}
	name := target.Kind().Describe(o.Namespace, o.Name)
	versions := i.rec.Versions(o)
	switch {
	case len(versions) == 0 && i.dump != nil && !i.dump.Has(target.Kind().GroupResource()):
		return o, source.Problem(i.fetch(o.Resource), "the dump has no %s", target.Kind().Resource)
	case len(versions) == 0 && i.dump != nil:
		return o, source.Problem(i.nearest(target, o), "%s does not exist in this dump", name)
	case len(versions) == 0 && i.uncreated(o) != "":
		return o, source.Problem(i.nearest(target, o), "%s does not exist: %s", name, i.uncreated(o))
	case len(versions) == 0:
		return o, source.Problem(i.nearest(target, o), "%s does not exist in this recording", name)
	}
	n := i.rec.VersionAt(o, i.seq)
	if n < 0 {
		at := i.rec.At(versions[0].Seq)
		return o, source.Problem("--at "+strconv.FormatInt(versions[0].Seq, 10), "%s does not exist at %s: it is created at %s", name,
			trace.Seconds(i.at), trace.Seconds(at))
	}
	text := name + " does not exist at " + trace.Seconds(i.at) + ": it was deleted at " + trace.Seconds(i.rec.At(versions[n].Seq))
	if n+1 < len(versions) {
		text += ", and created again at " + trace.Seconds(i.rec.At(versions[n+1].Seq))
	}
	// The moment before its deletion.
	return o, source.Problem(fmt.Sprintf("--at %d", versions[n].Seq-1), "%s", text)
}

// InNamespace returns a *source.Error if there is neither an object in a namespace nor the namespace itself.
func (i *Instant) InNamespace(namespace string) error {
	var known []string
	for _, o := range i.rec.ObjectsAt(i.seq) {
		name := o.Namespace
		if o.Resource == "namespaces" {
			name = o.Name
		}
		if name == namespace {
			return nil
		}
		if name != "" {
			known = append(known, name)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	try := "all namespaces, without -n"
	if near := cmp.Or(spelling.Nearest(namespace, known), strings.Join(known, ", -n ")); near != "" {
		try = "-n " + near
	}
	return source.Problem(try, "namespace %s does not exist, and has no objects", namespace)
}

// nearest is the object that may be meant by one that never exists: one of the same kind with a similar name, or any of it.
func (i *Instant) nearest(target notation.Target, o trace.Object) string {
	var names []string
	elsewhere := ""
	for _, other := range i.rec.ObjectsAt(i.seq) {
		switch {
		case other.Resource != o.Resource:
		case other.Namespace == o.Namespace:
			names = append(names, other.Name)
		case other.Name == o.Name:
			elsewhere = other.Namespace
		}
	}
	if elsewhere != "" {
		return fmt.Sprintf("%s/%s -n %s", target.Resource, target.Name, elsewhere)
	}
	slices.Sort(names)
	near := spelling.Nearest(o.Name, names)
	if near == "" && len(names) > 0 {
		near = names[0]
	}
	if near == "" {
		return fmt.Sprintf("another object; at %s there is no %s%s", trace.Seconds(i.at), target.Kind().Kind, in(o.Namespace))
	}
	return cmp.Or(target.Resource, o.Resource) + "/" + near
}

func in(namespace string) string {
	if namespace == "" {
		return ""
	}
	return " in namespace " + namespace
}
