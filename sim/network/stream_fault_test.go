package network_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// change is one write of a test: at a second, create, update or delete a ConfigMap.
type change struct {
	at         int
	verb, name string
}

// history is what the tests write: a changes twice, b goes and comes again, c comes and goes.
var history = []change{
	{1, "create", "a"},
	{2, "create", "b"},
	{11, "update", "a"},
	{12, "update", "a"},
	{13, "delete", "b"},
	{14, "create", "b"},
	{15, "create", "c"},
	{16, "delete", "c"},
	{40, "update", "a"},
}

// write schedules the history.
func (w *world) write(t *testing.T, changes []change) {
	for n, c := range changes {
		w.Engine.At(time.Duration(c.at)*time.Second, "write", func() {
			object := configMap(c.name)
			object.Data = map[string]string{"n": fmt.Sprint(n)}
			if _, err := w.Execute(apiserver.Request{
				Actor: "setup", Verb: c.verb, Resource: configMaps, Namespace: "default", Name: c.name, Object: object,
			}, 0, false); err != nil {
				t.Error(err)
			}
		})
	}
}

// seen runs client-go's informer in a simulation with rules, and returns what its handlers were told, with the whole
// second.
func seen(t *testing.T, front string, rules ...*fault.Rule) (told []string, records []*trace.Record) {
	play(t, sim.Options{Seed: 1, Watch: network.Range{Min: time.Millisecond, Max: time.Millisecond}}, func(w *world) {
		w.write(t, history)
		for _, rule := range rules {
			w.Arm(rule, 0)
		}
		w.Go("reader", func(ctx context.Context) {
			var client kubernetes.Interface = w.Client("reader")
			if front == "http" {
				client = kubernetes.NewForConfigOrDie(config(w, "reader"))
			}
			source := cache.NewFilteredListWatchFromClient(client.CoreV1().RESTClient(), "configmaps", "default", func(*metav1.ListOptions) {})
			if front == "typed" {
				source = &cache.ListWatch{
					ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
						return client.CoreV1().ConfigMaps("default").List(ctx, options)
					},
					WatchFuncWithContext: client.CoreV1().ConfigMaps("default").Watch,
				}
			}
			tell := func(what string, obj any) {
				m, ok := obj.(*corev1.ConfigMap)
				if !ok {
					m = obj.(cache.DeletedFinalStateUnknown).Obj.(*corev1.ConfigMap)
				}
				told = append(told, fmt.Sprintf("%2.0f %s %s %s", w.Engine.Now().Truncate(time.Second).Seconds(), what, m.Name, m.Data["n"]))
			}
			_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
				ListerWatcher: listing{source}, ObjectType: &corev1.ConfigMap{},
				Handler: cache.ResourceEventHandlerFuncs{
					AddFunc:    func(obj any) { tell("add", obj) },
					UpdateFunc: func(_, obj any) { tell("update", obj) },
					DeleteFunc: func(obj any) { tell("delete", obj) },
				},
			})
			informer.RunWithContext(ctx)
		})
		w.Run(time.Minute)
		records = w.records
	})
	return told, records
}

// listing is a source that lists before it watches, as the informers of the simulation do.
type listing struct{ cache.ListerWatcher }

// IsWatchListSemanticsUnSupported is what reflectors ask (client-go, util/watchlist).
func (listing) IsWatchListSemanticsUnSupported() bool { return true }

// normal is what a client is told when nothing goes wrong.
var normal = []string{
	" 1 add a 0", " 2 add b 1", "11 update a 2", "12 update a 3", "13 delete b 1", "14 add b 5", "15 add c 6", "16 delete c 6", "40 update a 8",
}

// TestWhatAnInformerSees lets the watch of a real informer go wrong in each way.
func TestWhatAnInformerSees(t *testing.T) {
	rule := func(effect fault.Effect) *fault.Rule {
		return &fault.Rule{
			Name: "r", Place: fault.Watches, Effect: effect, From: 10 * time.Second, Until: 30 * time.Second,
			Match: fault.Match{Actor: "reader", Resource: "configmaps"},
		}
	}
	nth := func(n, times int, effect fault.Effect) *fault.Rule {
		r := rule(effect)
		r.Nth, r.Times = n, times
		return r
	}
	stale := &fault.Rule{
		Name: "stale", Match: fault.Match{Verb: "list", Resource: "configmaps"}, From: 10 * time.Second, Times: 1,
		Effect: fault.Effect{Stale: 5 * time.Second},
	}
	late := func(second string) []string {
		var out []string
		for _, line := range normal[2:8] {
			out = append(out, second+line[2:])
		}
		return append(append([]string{}, normal[:2]...), append(out, normal[8])...)
	}
	for _, test := range []struct {
		name  string
		rules []*fault.Rule
		want  []string
	}{
		{"nothing goes wrong", nil, normal},
		{"held", []*fault.Rule{rule(fault.Effect{Hold: true})}, late("30")},
		{"held from the third event", []*fault.Rule{nth(3, 1, fault.Effect{Hold: true})}, []string{
			" 1 add a 0", " 2 add b 1", "11 update a 2", "12 update a 3", "30 delete b 1", "30 add b 5", "30 add c 6", "30 delete c 6", "40 update a 8",
		}},
		// b is another one, but the client only sees that it has changed; c never was.
		{"coalesced", []*fault.Rule{rule(fault.Effect{Hold: true, Coalesce: true})}, []string{
			" 1 add a 0", " 2 add b 1", "30 update a 3", "30 update b 5", "40 update a 8",
		}},
		{"delayed", []*fault.Rule{nth(1, 1, fault.Effect{DelayMin: 9 * time.Second, DelayMax: 9 * time.Second})}, late("20")},
		// The event that is lost comes again with the next watch.
		{"disconnected", []*fault.Rule{nth(1, 1, fault.Effect{Disconnect: true})}, []string{
			" 1 add a 0", " 2 add b 1", "11 update a 2", "12 update a 3", "13 delete b 1", "14 add b 5", "15 add c 6", "16 delete c 6", "40 update a 8",
		}},
		{"expired, with an old list", []*fault.Rule{nth(5, 1, fault.Effect{Expire: true}), stale}, []string{
			" 1 add a 0", " 2 add b 1", "11 update a 2", "12 update a 3", "13 delete b 1", "14 add b 5",
			// The list of second 15 would be that of second 10. But the client names what it has seen last, so the past does not come
			// back: it hears once more of each object as it is.
			"15 update a 3", "15 update b 5", "15 add c 6", "16 delete c 6", "40 update a 8",
		}},
	} {
		for _, front := range []string{"typed", "http"} {
			t.Run(test.name+"/"+front, func(t *testing.T) {
				var rules []*fault.Rule
				for _, r := range test.rules {
					fresh := *r
					rules = append(rules, &fresh)
				}
				told, records := seen(t, front, rules...)
				if diff := cmp.Diff(test.want, told); diff != "" {
					t.Errorf("told (-want +got):\n%s", diff)
				}
				var faults []string
				for _, r := range records {
					if r.Kind == trace.KindFault {
						faults = append(faults, r.Fault.Effect)
					}
				}
				if len(faults) == 0 != (len(rules) == 0) {
					t.Errorf("faults %s", strings.Join(faults, ", "))
				}
			})
		}
	}
}

// TestCutAtOnce ends a watch at an instant, without an event.
func TestCutAtOnce(t *testing.T) {
	rule := &fault.Rule{
		Name: "r", Place: fault.Watches, From: 20 * time.Second, Match: fault.Match{Resource: "configmaps"}, Effect: fault.Effect{Expire: true},
	}
	told, records := seen(t, "typed", rule)
	if diff := cmp.Diff(append(append([]string{}, normal[:8]...), "21 update a 3", "21 update b 5", "40 update a 8"), told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	lists := 0
	for _, r := range records {
		if r.Request != nil && r.Request.Verb == "list" {
			lists++
		}
	}
	if lists != 2 || rule.WhyUnused() != "" {
		t.Errorf("%d lists, %q", lists, rule.WhyUnused())
	}
}
