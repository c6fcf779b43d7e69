package controllers

import (
	"strings"
	"testing"
	"time"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/attempt"
	"github.com/kubestep/kubestep/sim/trace/diff"
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
	slice := func(name, service string) *trace.Record {
		return request(names.EndpointSliceController, "create", "endpointslices.discovery.k8s.io", trace.Write{Op: trace.OpCreate,
			New: []byte(`{"metadata":{"name":"` + name + `","labels":{"kubernetes.io/service-name":"` + service + `"}},` +
				`"addressType":"IPv4","endpoints":[{"addresses":["10.244.0.1"]}]}`)})
	}
	revision := func(op trace.Op, name string) *trace.Record {
		return request(names.DaemonSetController, string(op), "controllerrevisions.apps", trace.Write{Op: op,
			Object: trace.Object{Resource: "controllerrevisions.apps", Namespace: "default", Name: name}})
	}
	daemon := request(names.DaemonSetController, "create", "pods")
	enqueue := func(at time.Duration, cause int64) *trace.Record {
		return &trace.Record{Kind: trace.KindEnqueue, At: at, Cause: cause, Actor: names.JobController, Enqueue: &trace.Enqueue{}}
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
	move := func(cause int64, key string) *trace.Record {
		return &trace.Record{Kind: trace.KindEnqueue, Cause: cause, Actor: SchedulerName,
			Enqueue: &trace.Enqueue{Queue: "active", Key: key, Event: "NodeAdd"}}
	}
	nominates := &trace.Record{Kind: trace.KindSync, Actor: SchedulerName, Sync: &trace.Sync{Attempt: &attempt.Attempt{Nominated: "node-1"}}}
	for _, test := range []struct {
		name    string
		records []*trace.Record
		want    string
	}{
		{"nothing", nil, ""},
		{"a DaemonSet that is created", []*trace.Record{revision(trace.OpCreate, "agent-7f"), daemon}, ""},
		{"a DaemonSet that is updated", []*trace.Record{
			revision(trace.OpCreate, "agent-7f"), daemon, revision(trace.OpCreate, "agent-8d"), daemon}, names.DaemonSetController},
		{"two DaemonSets", []*trace.Record{revision(trace.OpCreate, "agent-7f"), revision(trace.OpCreate, "log-agent-7f"), daemon}, ""},
		{"a DaemonSet that is rolled back", []*trace.Record{revision(trace.OpUpdate, "agent-7f"), daemon}, names.DaemonSetController},
		{"its status only", []*trace.Record{request(names.DaemonSetController, "update", "daemonsets.apps")}, ""},
		{"a namespace that is emptied", []*trace.Record{
			request(names.NamespaceController, "deletecollection", "secrets")}, names.NamespaceController},
		{"a Service with one slice", []*trace.Record{slice("a-1", "a"), slice("b-1", "b")}, ""},
		{"a Service with two slices", []*trace.Record{slice("a-1", "a"), slice("a-2", "a")}, names.EndpointSliceController},
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
		{"a Pod that gets room", []*trace.Record{nominates}, SchedulerName},
		{"a node helps one Pod twice", []*trace.Record{move(7, "default/a"), move(7, "default/a"), move(8, "default/b")}, ""},
		{"a node helps two Pods", []*trace.Record{move(7, "default/a"), move(7, "default/b")}, SchedulerName},
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
}
