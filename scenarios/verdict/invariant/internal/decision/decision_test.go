package decision

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// kinds are the kinds of the stories, by their resources.
var kinds = map[string]struct {
	resource schema.GroupResource
	kind     string
	empty    func() runtime.Object
}{
	"pods":         {corev1.Resource("pods"), "Pod", func() runtime.Object { return &corev1.Pod{} }},
	"nodes":        {corev1.Resource("nodes"), "Node", func() runtime.Object { return &corev1.Node{} }},
	"deployments":  {appsv1.Resource("deployments"), "Deployment", func() runtime.Object { return &appsv1.Deployment{} }},
	"replicasets":  {appsv1.Resource("replicasets"), "ReplicaSet", func() runtime.Object { return &appsv1.ReplicaSet{} }},
	"statefulsets": {appsv1.Resource("statefulsets"), "StatefulSet", func() runtime.Object { return &appsv1.StatefulSet{} }},
	"daemonsets":   {appsv1.Resource("daemonsets"), "DaemonSet", func() runtime.Object { return &appsv1.DaemonSet{} }},
	"jobs":         {batchv1.Resource("jobs"), "Job", func() runtime.Object { return &batchv1.Job{} }},
	"cronjobs":     {batchv1.Resource("cronjobs"), "CronJob", func() runtime.Object { return &batchv1.CronJob{} }},
	"horizontalpodautoscalers": {autoscalingv2.Resource("horizontalpodautoscalers"), "HorizontalPodAutoscaler",
		func() runtime.Object { return &autoscalingv2.HorizontalPodAutoscaler{} }},
}

// TestRules tells stories of controllers that break the rules, and of some that only seem to. Each line of a story is
//
//	TIME ACTOR create, update RESOURCE/NAME [of RESOURCE/NAME] [STATE] [{FIELDS}]
//	                                   an object is written; STATE is that of a Pod: Pending, Running, Ready, Failed, Succeeded
//	TIME ACTOR delete RESOURCE/NAME    its deletion begins
//	TIME ACTOR remove RESOURCE/NAME    it is gone
//	TIME ACTOR try RESOURCE/NAME       its deletion fails
//	TIME ACTOR scale RESOURCE/NAME N   the size of an object is updated; it may be the same as before
//	TIME ACTOR sync, end               a sync of a controller begins or ends
//	TIME hold, release RESOURCE        from now on, the caches do not receive what is written, or receive it again
//	TIME restart                       the informers list everything again
//
// Between writes, the caches have everything that was written.
func TestRules(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s := newStory()
			for line := range strings.Lines(d.Input) {
				s.tell(t, strings.TrimSpace(line))
			}
			if s.out.Len() == 0 {
				return "holds\n"
			}
			return s.out.String()
		})
	})
}

// TestEachRuleIsBroken holds that each rule has a story that breaks it.
func TestEachRuleIsBroken(t *testing.T) {
	for _, rule := range All() {
		text, err := os.ReadFile("testdata/" + rule.Name + ".txt")
		if err != nil || !strings.Contains(string(text), "\n"+rule.Name+": ") {
			t.Errorf("nothing breaks %s: %v", rule.Name, err)
		}
	}
}

// story is one story that is being told. unseen are the revisions that the caches which are held have not received.
type story struct {
	run     *Run
	rules   []Watcher
	at      time.Duration
	seq     int64
	rv      uint64
	objects map[string]runtime.Object
	held    map[string]bool
	syncs   map[string]int64
	rule    string
	out     strings.Builder
	unseen  map[string]uint64
}

func newStory() *story {
	s := &story{
		rv: 1, objects: map[string]runtime.Object{}, held: map[string]bool{}, syncs: map[string]int64{}, unseen: map[string]uint64{},
	}
	s.run = &Run{World: s, Views: knowledge.New(), Pods: knowledge.NewPods(), Broken: func(_ int64, message string) {
		fmt.Fprintf(&s.out, "%s: %s\n", s.rule, message)
	}}
	for _, rule := range All() {
		s.rules = append(s.rules, rule.Watch(s.run))
	}
	s.list()
	return s
}

// Now implements World, as the following do.
func (s *story) Now() time.Duration { return s.at }

func (s *story) Date() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(s.at) }

func (s *story) Get(resource schema.GroupResource, _, name string) (runtime.Object, bool) {
	object, exists := s.objects[resource.Resource+"/"+name]
	return object, exists
}

func (s *story) each(do func(Watcher)) {
	for i, w := range s.rules {
		s.rule = All()[i].Name
		do(w)
	}
}

func (s *story) record(r *trace.Record) *trace.Record {
	s.seq++
	r.Seq, r.At = s.seq, s.at
	s.run.Views.Record(r)
	s.each(func(w Watcher) { w.Record(r) })
	return r
}

func (s *story) list() {
	for _, k := range kinds {
		s.record(&trace.Record{Actor: trace.InformerActor, Request: &trace.Request{
			Verb: "list", Object: trace.Object{Resource: k.resource.String()}, Code: 200, RV: strconv.FormatUint(s.rv, 10), Sent: s.at,
		}})
	}
}

// tell tells a line.
func (s *story) tell(t *testing.T, line string) {
	line, fields, hasFields := strings.Cut(line, " {")
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	at, err := time.ParseDuration(words[0])
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	s.at = at
	switch words = words[1:]; words[0] {
	case "restart":
		s.list()
	case "hold":
		s.held[words[1]] = true
	case "release":
		s.held[words[1]] = false
		s.receive(words[1], s.unseen[words[1]])
	default:
		if hasFields {
			fields = "{" + fields
		}
		s.act(t, words[0], words[1], words[2:], fields)
	}
}

// receive lets the cache of a resource receive everything up to a revision.
func (s *story) receive(resource string, rv uint64) {
	if s.held[resource] {
		s.unseen[resource] = rv
		return
	}
	s.record(&trace.Record{Actor: trace.InformerActor, Watch: &trace.Watch{
		Type: "MODIFIED", Object: trace.Object{Resource: kinds[resource].resource.String()}, RV: rv, Written: s.at,
	}})
}

// act lets an actor do something.
func (s *story) act(t *testing.T, actor, verb string, words []string, fields string) {
	switch verb {
	case "sync":
		s.syncs[actor] = s.record(&trace.Record{Actor: actor, Sync: &trace.Sync{Phase: trace.PhaseStart}}).Seq
		return
	case "end":
		s.record(&trace.Record{Actor: actor, Sync: &trace.Sync{Phase: trace.PhaseEnd, Start: s.syncs[actor]}})
		delete(s.syncs, actor)
		return
	}
	resource, name, _ := strings.Cut(words[0], "/")
	kind, known := kinds[resource]
	if !known {
		t.Fatalf("no kind has the resource %s", resource)
	}
	request := &trace.Request{
		Verb:   strings.NewReplacer("remove", "delete", "try", "delete", "scale", "update").Replace(verb),
		Object: trace.Object{Resource: kind.resource.String(), Namespace: "default", Name: name}, Code: 200, Sent: s.at,
	}
	if verb == "scale" {
		request.Subresource = "scale"
	}
	if verb == "try" {
		request.Code = 500
	}
	record := s.record(&trace.Record{Actor: actor, Cause: s.syncs[actor], Request: request})
	before := s.objects[words[0]]
	object := s.next(t, before, verb, words, fields)
	if object == nil {
		return
	}
	s.rv++
	op := map[string]memdb.Op{"create": memdb.OpCreate, "remove": memdb.OpDelete}[verb]
	if op == "" {
		op = memdb.OpUpdate
	}
	if s.objects[words[0]] = object; verb == "remove" {
		delete(s.objects, words[0])
	}
	change := &Change{By: record, Change: network.Change{Seq: record.Seq, Commit: apiserver.Commit{
		Op: op, Revision: s.rv, Resource: kind.resource.WithVersion("v1"), Object: object, Previous: before,
	}}}
	if pod, ok := object.(*corev1.Pod); ok {
		s.run.Pods.Change(op, s.rv, pod)
	}
	s.each(func(w Watcher) { w.Change(change) })
	s.receive(resource, s.rv)
}

// next is what an object is after a write; nil if nothing is written.
func (s *story) next(t *testing.T, before runtime.Object, verb string, words []string, fields string) runtime.Object {
	resource, name, _ := strings.Cut(words[0], "/")
	if verb == "try" {
		return nil
	}
	if verb == "create" {
		object := kinds[resource].empty()
		m, _ := meta.Accessor(object)
		m.SetNamespace("default")
		m.SetName(name)
		m.SetUID(types.UID(fmt.Sprintf("%s-%d", name, s.rv+1)))
		return s.merge(t, object, words[1:], fields)
	}
	if before == nil {
		t.Fatalf("%s does not exist", words[0])
	}
	object := before.DeepCopyObject()
	m, _ := meta.Accessor(object)
	switch verb {
	case "delete":
		m.SetDeletionTimestamp(&metav1.Time{Time: s.Date()})
	case "scale":
		if size, _ := sizeOf(before); strconv.Itoa(int(size)) == words[1] {
			return nil
		}
		return s.merge(t, object, nil, "{spec: {replicas: "+words[1]+"}}")
	case "update":
		m.SetGeneration(m.GetGeneration() + 1)
		return s.merge(t, object, words[1:], fields)
	}
	return object
}

// merge gives an object an owner, a state and fields.
func (s *story) merge(t *testing.T, object runtime.Object, words []string, fields string) runtime.Object {
	if len(words) > 1 && words[0] == "of" {
		resource, _, _ := strings.Cut(words[1], "/")
		owner, _ := meta.Accessor(s.objects[words[1]])
		m, _ := meta.Accessor(object)
		m.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(owner, schema.GroupVersionKind{Kind: kinds[resource].kind})})
		words = words[2:]
	}
	if fields != "" {
		text, err := yaml.YAMLToJSON([]byte(fields))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, object); err != nil {
			t.Fatal(err)
		}
	}
	if pod, ok := object.(*corev1.Pod); ok && len(words) > 0 {
		s.setState(pod, words[0])
	}
	return object
}

// setState sets the status of a Pod.
func (s *story) setState(pod *corev1.Pod, state string) {
	ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.Time{Time: s.Date()}}
	pod.Status.Phase = corev1.PodPhase(state)
	switch state {
	case "Ready":
		pod.Status.Phase, ready.Status = corev1.PodRunning, corev1.ConditionTrue
	case "Failed", "Succeeded":
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{FinishedAt: metav1.Time{Time: s.Date()}},
		}}}
	}
	pod.Status.Conditions = []corev1.PodCondition{ready}
}
