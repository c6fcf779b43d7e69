package controllers

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/diff"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestOpenOrder shows which requests leave an order to Go's maps.
func TestOpenOrder(t *testing.T) {
	request := func(actor, verb, resource string, writes ...trace.Write) *trace.Record {
		return &trace.Record{Kind: trace.KindRequest, Actor: actor,
			Request: &trace.Request{Verb: verb, Object: trace.Object{Resource: resource}, Writes: writes}}
	}
	volume := func(capacity string) *trace.Record {
		return request("kubectl", "create", "persistentvolumes", trace.Write{Op: trace.OpCreate,
			New: []byte(`{"spec":{"capacity":{"storage":"` + capacity + `"}}}`)})
	}
	binds := request(names.PersistentVolumeBinderController, "update", "persistentvolumes", trace.Write{
		Op: trace.OpUpdate, Changes: []diff.Change{{Path: "spec.claimRef", New: []byte("{}")}}})
	endpoints := func(paths ...string) *trace.Record {
		var changes []diff.Change
		for _, path := range paths {
			changes = append(changes, diff.Change{Path: path, New: []byte(`{"addresses":["10.244.0.1"]}`)})
		}
		return request(names.EndpointSliceController, "update", "endpointslices.discovery.k8s.io",
			trace.Write{Op: trace.OpUpdate, Changes: changes})
	}
	ranges := func(at time.Duration) *trace.Record {
		return &trace.Record{Kind: trace.KindSync, At: at, Actor: names.NodeIpamController, Sync: &trace.Sync{Phase: trace.PhaseStart}}
	}
	enqueue := func(at time.Duration, cause int64) *trace.Record {
		return &trace.Record{Kind: trace.KindEnqueue, At: at, Cause: cause, Actor: names.JobController, Enqueue: &trace.Enqueue{}}
	}
	due := func(at time.Duration) *trace.Record {
		return &trace.Record{Kind: trace.KindEnqueue, At: at, Cause: 1, Actor: names.HorizontalPodAutoscalerController}
	}
	resync := func(at time.Duration) *trace.Record {
		return &trace.Record{Kind: trace.KindTimer, At: at, Actor: names.HorizontalPodAutoscalerController}
	}
	events := func(messages ...string) (records []*trace.Record) {
		for _, message := range messages {
			records = append(records, &trace.Record{Kind: trace.KindEvent, Actor: names.DeploymentController, Event: &trace.Event{Message: message}})
		}
		return records
	}
	loses := func(at time.Duration, renewals ...time.Duration) (records []*trace.Record) {
		for _, renewal := range renewals {
			records = append(records, request("manager-1", "update", "leases.coordination.k8s.io"))
			records[len(records)-1].Request.Sent = renewal
		}
		return append(records, &trace.Record{Kind: trace.KindLog, Actor: "manager-1", At: at, Log: &trace.Log{Message: "leaderelection lost"}})
	}
	for _, test := range []struct {
		name    string
		records []*trace.Record
		want    string
	}{
		{"a resync between two looks", []*trace.Record{due(15), resync(20), due(30)}, ""},
		{"a resync at the time of the next look", []*trace.Record{resync(30), due(30)}, names.HorizontalPodAutoscalerController},
		{"and the other way round", []*trace.Record{due(30), resync(30)}, names.HorizontalPodAutoscalerController},
		{"nothing", nil, ""},
		{"a DaemonSet's pods", []*trace.Record{request(names.DaemonSetController, "create", "pods")}, names.DaemonSetController},
		{"of the second replica", []*trace.Record{request(names.DaemonSetController+"@2", "delete", "pods")}, names.DaemonSetController},
		{"its status only", []*trace.Record{request(names.DaemonSetController, "update", "daemonsets.apps")}, ""},
		{"a namespace that is emptied", []*trace.Record{
			request(names.NamespaceController, "deletecollection", "secrets")}, names.NamespaceController},
		{"a node that is gone", []*trace.Record{
			request(names.PodGarbageCollectorController, "get", "nodes")}, names.PodGarbageCollectorController},
		{"a node that was gone", []*trace.Record{
			{Kind: trace.KindSync, Actor: names.PodGarbageCollectorController}}, names.PodGarbageCollectorController},
		{"endpoints one by one", []*trace.Record{endpoints(`endpoints[0]`), endpoints(`endpoints[1]`)}, ""},
		{"a terminating endpoint", []*trace.Record{endpoints(`endpoints[0].conditions.serving`, `endpoints[1].conditions.serving`)}, ""},
		{"two endpoints at once", []*trace.Record{endpoints(`endpoints[0]`, `endpoints[1]`)}, names.EndpointSliceController},
		{"nodes one after the other", []*trace.Record{ranges(1), ranges(2)}, ""},
		{"nodes at the start", []*trace.Record{ranges(1), ranges(1)}, names.NodeIpamController},
		{"two objects at the start", []*trace.Record{enqueue(-1, 0), enqueue(-1, 0)}, ""},
		{"two objects of a resync", []*trace.Record{enqueue(13*time.Hour, 0), enqueue(13*time.Hour, 0)}, names.JobController},
		{"two writes after a day", []*trace.Record{enqueue(24*time.Hour, 1), enqueue(24*time.Hour, 2)}, ""},
		{"Events that come again", events("up 1", "down 1", "up 1"), ""},
		{"many Events, all different", events("up 1", combined+"up 2", combined+"up 3"), ""},
		{"one of many comes again", events("up 1", combined+"up 2", "up 1"), names.DeploymentController},
		{"one of many comes again among the many", events("up 1", combined+"up 2", combined+"up 2"), names.DeploymentController},
		{"a lease lost between two renewals", loses(9*time.Second, 6*time.Second, 8*time.Second), ""},
		{"a lease lost after the renewal", loses(10004*time.Millisecond, 8*time.Second, 10*time.Second), "manager-1"},
		{"a lease lost before the renewal", loses(10*time.Second, 6*time.Second, 8*time.Second), "manager-1"},
		{"one volume fits best", []*trace.Record{volume("1Gi"), volume("2Gi"), binds}, ""},
		{"two volumes fit alike", []*trace.Record{volume("1Gi"), volume("1024Mi"), binds}, names.PersistentVolumeBinderController},
		{"two alike that nobody claims", []*trace.Record{volume("1Gi"), volume("1Gi")}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(OpenOrder(test.records), " "); got != test.want {
				t.Errorf("open is %q, want %q", got, test.want)
			}
		})
	}
	for name := range openOrder {
		if !slices.Contains(Names(), name) {
			t.Errorf("no controller is named %s", name)
		}
	}
}
