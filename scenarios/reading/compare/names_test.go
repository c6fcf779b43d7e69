package compare

import (
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestNamesOfRefusedCreations: the API server has generated a name for a Pod before it refuses it. Conditions and Events have the name.
func TestNamesOfRefusedCreations(t *testing.T) {
	refused := func(name, message string) *trace.Request {
		return &trace.Request{Verb: "create", Object: trace.Object{Resource: "pods", Name: name}, Code: 403, Message: message}
	}
	for _, test := range []struct {
		request *trace.Request
		text    string
		want    string
	}{
		{refused("", `pods "big-xn9qm" is forbidden: maximum cpu`), `pods "big-xn9qm" is forbidden`, `pods "big-*" is forbidden`},
		{refused("", `pods "big-fixed" is forbidden: maximum cpu`), `pods "big-fixed" is forbidden`, `pods "big-fixed" is forbidden`},
		// The user has given the name.
		{refused("big-xn9qm", `pods "big-xn9qm" is forbidden: maximum cpu`), `pods "big-xn9qm" is forbidden`, `pods "big-xn9qm" is forbidden`},
	} {
		d := NewDecisions()
		d.names.add(test.request)
		if got := d.Words(test.text); got != test.want {
			t.Errorf("%s\nwant %s", got, test.want)
		}
	}
}
