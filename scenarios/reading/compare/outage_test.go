package compare

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestGauge counts as outages only what is fewer than before, and still wanted.
func TestGauge(t *testing.T) {
	second := func(n int) time.Duration { return time.Duration(n) * time.Second }
	for _, test := range []struct {
		name string
		// steps are a time in seconds, a number, and how many are wanted.
		steps [][3]int
		want  Outage
	}{
		{"what starts is not out", [][3]int{{0, 0, 3}, {1, 2, 3}, {2, 3, 3}}, Outage{}},
		{"fewer, and as many again", [][3]int{{0, 3, 3}, {5, 1, 3}, {6, 2, 3}, {8, 3, 3}},
			Outage{Total: second(3), Fewest: 1, Of: 3, Periods: []Period{{From: second(5), To: second(8), Fewest: 1, Of: 3}}}},
		{"to the end of the run", [][3]int{{0, 3, 3}, {5, 1, 3}},
			Outage{Total: second(15), Fewest: 1, Of: 3, Periods: []Period{{From: second(5), To: second(20), Lasts: true, Fewest: 1, Of: 3}}}},
		{"more than wanted is a surge", [][3]int{{0, 4, 3}, {5, 3, 3}}, Outage{}},
		{"who scales down wants fewer", [][3]int{{0, 3, 3}, {5, 3, 1}, {6, 1, 1}, {7, 1, 3}}, Outage{}},
		{"scaling down ends an outage", [][3]int{{0, 3, 3}, {5, 1, 3}, {7, 1, 1}},
			Outage{Total: second(2), Fewest: 1, Of: 3, Periods: []Period{{From: second(5), To: second(7), Fewest: 1, Of: 3}}}},
		{"an instant is not a time", [][3]int{{0, 3, 3}, {5, 1, 3}, {5, 3, 3}}, Outage{}},
	} {
		g := &gauge{}
		for _, step := range test.steps {
			g.set(second(step[0]), step[1], step[2])
		}
		g.close(second(20), true)
		if diff := cmp.Diff(test.want, g.outage); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// write writes an object as a whole, a second after the last record.
func (b *builder) write(op trace.Op, o trace.Object, object string) {
	b.add(&trace.Record{Kind: trace.KindRequest, Actor: "x", Request: &trace.Request{
		Verb: "create", Object: o, Code: 200,
		Writes: []trace.Write{{Op: op, Object: o, RV: uint64(b.seq + 1), New: json.RawMessage(object)}},
	}})
}

// TestEndpointsOfPodsThatAreGone: an endpoint that is listed as ready without a Ready Pod serves nobody, so a Service can be out
// although its EndpointSlices never change.
func TestEndpointsOfPodsThatAreGone(t *testing.T) {
	b := newBuilder(t)
	object := func(resource, name string) trace.Object {
		return trace.Object{Resource: resource, Namespace: "default", Name: name}
	}
	web := object("services", "web")
	b.write(trace.OpCreate, web, `{"metadata":{"uid":"s"},"spec":{"selector":{"app":"web"}}}`)
	for _, name := range []string{"a", "b"} {
		b.write(trace.OpCreate, object("pods", name), fmt.Sprintf(
			`{"metadata":{"uid":%q,"labels":{"app":"web"}},"status":{"conditions":[{"type":"Ready","status":"True"}]}}`, name))
	}
	b.write(trace.OpCreate, object("endpointslices.discovery.k8s.io", "web-1"), `{"metadata":{"uid":"e",
		"labels":{"kubernetes.io/service-name":"web"}},"endpoints":[{"targetRef":{"uid":"a"},"conditions":{"ready":true}},
		{"targetRef":{"uid":"b"},"conditions":{"ready":true}},{"targetRef":{"uid":"c"},"conditions":{"ready":false}}]}`)
	b.remove("kubelet", 0, "b")
	b.write(trace.OpCreate, object("configmaps", "later"), `{"metadata":{"uid":"m"}}`)
	rec := b.Done(recording.Origin{}, "")
	got := outages(rec, names{})
	want := map[trace.Object]Outage{web: {
		Total: time.Second, Fewest: 1, Of: 2, Periods: []Period{{From: 5 * time.Second, To: 6 * time.Second, Lasts: true, Fewest: 1, Of: 2}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
