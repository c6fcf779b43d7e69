package pane

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// readCall finds what a condition reads in the message of a check: deployment('web'), pods('app=web').
var readCall = regexp.MustCompile(`(\w+)\('([^']*)'`)

// Cause is the record that caused the one at the cursor, 0 for none, and what there is to say of it. A check that fails has none in
// the trace: it is the last write of what the check read, which its message names.
func (m Moment) Cause() (seq int64, status string) {
	record := m.Rec.Record(m.Seq)
	if record == nil || record.Cause != 0 || record.Check == nil || record.Check.Passed {
		if record != nil {
			seq = record.Cause
		}
		return seq, ""
	}
	var last trace.Object
	for _, o := range m.Rec.Caches.Store().Objects() {
		if !isReadBy(record.Check.Message, o) {
			continue
		}
		if at := m.Rec.VersionAt(o, m.Seq); at >= 0 && m.Rec.Versions(o)[at].Seq > seq {
			seq, last = m.Rec.Versions(o)[at].Seq, o
		}
	}
	if seq == 0 {
		return 0, ""
	}
	return seq, "the last write of what the check read, " + trace.ObjectName(last)
}

// isReadBy reports whether a message names an object. The ReplicaSets of a Deployment have its name, and a hash.
func isReadBy(message string, o trace.Object) bool {
	resource := schema.ParseGroupResource(o.Resource)
	for _, call := range readCall.FindAllStringSubmatch(message, -1) {
		function, argument := call[1], call[2]
		kind := kinds.BuiltIn().Named(function)
		switch {
		case kind != nil && kind.GroupResource() != resource:
		case kind == nil && (kinds.BuiltIn().Of(resource) != nil || !resembles(resource, function)):
		case argument == "" || strings.Contains(argument, "=") || argument == o.Name:
			return true
		case resource.Resource == "replicasets" && strings.HasPrefix(o.Name, argument+"-"):
			return true
		}
	}
	return false
}

// resembles reports whether a function has the name of a custom resource: farms('x'), or farm('x') as its singular name often is.
func resembles(resource schema.GroupResource, function string) bool {
	return resource != definition.Kind.GroupResource() && strings.HasPrefix(resource.Resource, function)
}
