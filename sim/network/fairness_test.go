package network_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
)

// fair has two seats in the priority level of the tests, and takes 10 ms for a request.
var fair = sim.Options{
	Service:  network.Range{Min: 10 * time.Millisecond, Max: 10 * time.Millisecond},
	Fairness: network.Fairness{Concurrency: 2, Read: network.Range{Min: 10 * time.Millisecond, Max: 10 * time.Millisecond}},
}

// flowsByUser puts the requests of all users that are no administrators into a priority level with so many queues, one flow for each user.
func (w *world) flowsByUser(t *testing.T, queues, length int32) {
	t.Helper()
	flow := flowcontrolv1.SchemeGroupVersion
	level := &flowcontrolv1.PriorityLevelConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "everybody"},
		Spec: flowcontrolv1.PriorityLevelConfigurationSpec{
			Type: flowcontrolv1.PriorityLevelEnablementLimited,
			Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: ptr.To[int32](1000),
				LimitResponse: flowcontrolv1.LimitResponse{
					Type:    flowcontrolv1.LimitResponseTypeQueue,
					Queuing: &flowcontrolv1.QueuingConfiguration{Queues: queues, HandSize: 1, QueueLengthLimit: length},
				},
			},
		},
	}
	schema := &flowcontrolv1.FlowSchema{
		ObjectMeta: metav1.ObjectMeta{Name: "everybody"},
		Spec: flowcontrolv1.FlowSchemaSpec{
			PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: "everybody"}, MatchingPrecedence: 100,
			DistinguisherMethod: &flowcontrolv1.FlowDistinguisherMethod{Type: flowcontrolv1.FlowDistinguisherMethodByUserType},
			Rules: []flowcontrolv1.PolicyRulesWithSubjects{{
				Subjects: []flowcontrolv1.Subject{{
					Kind: flowcontrolv1.SubjectKindGroup, Group: &flowcontrolv1.GroupSubject{Name: user.AllAuthenticated},
				}},
				ResourceRules: []flowcontrolv1.ResourcePolicyRule{{
					Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, ClusterScope: true, Namespaces: []string{"*"},
				}},
			}},
		},
	}
	for _, create := range []apiserver.Request{
		{Actor: "setup", Verb: "create", Resource: flow.WithResource("prioritylevelconfigurations"), Object: level},
		{Actor: "setup", Verb: "create", Resource: flow.WithResource("flowschemas"), Object: schema},
	} {
		if _, err := w.Execute(create, 0, false); err != nil {
			t.Fatal(err)
		}
	}
}

// floods lets a client list ConfigMaps so many times at once, and counts the lists that fail.
func (w *world) floods(actor string, groups []string, requests int) (refused *int) {
	w.Identify(actor, &user.DefaultInfo{Name: actor, Groups: append(groups, user.AllAuthenticated)}, "")
	refused = new(int)
	for i := range requests {
		w.Go(actor, func(ctx context.Context) {
			if _, err := w.Client(actor).CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{Limit: int64(i + 1)}); err != nil {
				*refused++
			}
		})
	}
	return refused
}

// waits are how long the requests of an actor waited, sorted.
func (w *world) waits(actor string) (out []time.Duration) {
	for _, r := range w.requests(actor) {
		out = append(out, r.Request.Flow.Waited)
	}
	slices.Sort(out)
	return out
}

// TestARequestWaitsForASeat sends three requests at once to a server with two seats.
func TestARequestWaitsForASeat(t *testing.T) {
	play(t, fair, func(w *world) {
		w.flowsByUser(t, 1, 50)
		w.floods("jane", nil, 3)
		w.Run(time.Minute)
		if got, want := fmt.Sprint(w.waits("jane")), "[0s 0s 10ms]"; got != want {
			t.Errorf("the requests waited %s, want %s", got, want)
		}
		for _, r := range w.requests("jane") {
			if r.Request.Flow.Schema != "everybody" || r.Request.Flow.PriorityLevel != "everybody" {
				t.Errorf("classified as %+v", r.Request.Flow)
			}
		}
	})
}

// TestTheOrderOfFreedRequestsIsThatOfTheEngine has several requests freed at the same instant, again and again, among them requests that
// give up after 15 seconds. Two runs have the same records, whatever runs in parallel.
func TestTheOrderOfFreedRequestsIsThatOfTheEngine(t *testing.T) {
	slow := fair
	slow.Fairness.Concurrency = 4
	slow.Fairness.Read = network.Range{Min: 990 * time.Millisecond, Max: time.Second}
	run := func() (lines []string) {
		play(t, slow, func(w *world) {
			w.flowsByUser(t, 16, 50)
			for _, name := range []string{"jane", "joe", "kim"} {
				w.floods(name, nil, 40)
			}
			w.Run(5 * time.Minute)
			for _, r := range w.records {
				if r.Request != nil {
					lines = append(lines, fmt.Sprintf("%v %s %s %d %+v", r.At, r.Actor, r.Request.Verb, r.Request.Code, r.Request.Flow))
				}
			}
		})
		return lines
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	first := run()
	for range 3 {
		runtime.GOMAXPROCS(2)
		if again := run(); !slices.Equal(first, again) {
			t.Fatalf("two runs differ:\n%s\n\n%s", strings.Join(first, "\n"), strings.Join(again, "\n"))
		}
	}
	refused := 0
	for _, line := range first {
		if strings.Contains(line, " 429 ") {
			refused++
		}
	}
	if refused < 10 {
		t.Errorf("%d requests gave up, so the test is about something else", refused)
	}
}

// TestAFullQueueRefuses sends more requests than have room. The typed client tries again after the seconds that the answer says, as
// client-go does, and succeeds.
func TestAFullQueueRefuses(t *testing.T) {
	play(t, fair, func(w *world) {
		w.flowsByUser(t, 1, 5)
		failed := w.floods("jane", nil, 20)
		w.Run(time.Minute)
		codes := map[int]int{}
		for _, r := range w.requests("jane") {
			codes[r.Request.Code]++
			if r.Request.Code == 429 && r.Request.Reason != "TooManyRequests" {
				t.Errorf("refused with %s", r.Request.Reason)
			}
		}
		// Two seats and five places in the queue; then 13 come back after a second, and 6 after another.
		if *failed != 0 || codes[200] != 20 || codes[429] != 13+6 {
			t.Errorf("%d requests failed, codes %v; want none, and 200: 20, 429: 19", *failed, codes)
		}
	})
}

// TestAdministratorsAreExempt has no limit for the group system:masters, and one for others at the same time.
func TestAdministratorsAreExempt(t *testing.T) {
	play(t, fair, func(w *world) {
		w.flowsByUser(t, 1, 50)
		w.floods("admin", []string{user.SystemPrivilegedGroup}, 20)
		w.floods("jane", nil, 20)
		w.Run(time.Minute)
		admin, jane := w.waits("admin"), w.waits("jane")
		if slices.Max(admin) != 0 || slices.Max(jane) != 90*time.Millisecond {
			t.Errorf("the administrator waited %v, jane %v; want 0s and up to 90ms", admin, jane)
		}
		if level := w.requests("admin")[0].Request.Flow.PriorityLevel; level != "exempt" {
			t.Errorf("the priority level of the administrator is %s", level)
		}
	})
}

// TestFlowsShareTheSeats has one client with many requests, and one with a few. In a queue of its own, the second one gets half of the
// seats; behind the requests of the first one, it waits for all of them.
func TestFlowsShareTheSeats(t *testing.T) {
	for queues, want := range map[int32]time.Duration{1: 520 * time.Millisecond, 64: 50 * time.Millisecond} {
		play(t, fair, func(w *world) {
			w.flowsByUser(t, queues, 500)
			w.floods("noisy", nil, 100)
			w.Engine.After(5*time.Millisecond, "quiet", func() { w.floods("quiet", nil, 4) })
			w.Run(time.Minute)
			if waits := w.waits("quiet"); len(waits) != 4 || waits[3] > want || waits[3] < want/2 {
				t.Errorf("%d queues: the requests of the quiet client waited %v, want about %v", queues, waits, want)
			}
		})
	}
}
