package components

import (
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/review"
)

// called describes the call of a webhook: create deploy/web: denied.
func (m *Message) called(w *review.Review) {
	m.Call, m.Denied, m.Unanswered = true, !w.Allowed, w.Error != ""
	answer := "allowed"
	switch {
	case m.Unanswered:
		answer = "no answer"
	case w.Operation == review.Convert && m.Denied:
		answer = "failed"
	case w.Operation == review.Convert:
		answer = "converted"
	case m.Denied:
		answer = "denied"
	case len(w.Patch) > 0:
		answer = "patched"
	}
	object := trace.Object{Resource: w.Resource, Namespace: w.Namespace, Name: w.Name}
	m.Text = strings.ToLower(w.Operation) + " " + Short(object) + ": " + answer
}
