package invariant

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestWatchesThatBreak shows watch-order and cache-equals-store what no simulation does: watches whose events are out of
// order, are lost, or come from nowhere. Each script is a story of one informer of Pods:
//
//	create, update, delete NAME RV    the store is written
//	list RV [fault]                   the informer lists; a fault makes the list one of the past
//	watch RV [selective]              it connects; 0 begins with the state
//	listed NAME RV                    an event of that state arrives
//	ADDED, MODIFIED, DELETED NAME RV  an event arrives
//	travels, arrived                  from now on, something is under way, or no longer is
//	disconnect                        the watch ends
//	passes DURATION                   virtual time passes
//	holds NAME RV                     at the end, the cache itself holds this, whatever the informer was told
func TestWatchesThatBreak(t *testing.T) {
	datadriven.RunTest(t, "testdata/watches.txt", func(t *testing.T, d *datadriven.TestData) string {
		s := &story{idle: true}
		s.run = &Run{World: s, views: knowledge.New(), pods: knowledge.NewPods(), requeues: newRequeues(nil)}
		for _, i := range []Invariant{watchOrder, cacheEqualsStore} {
			s.run.watched = append(s.run.watched, &watched{name: i.Name, watcher: i.watch(s.run)})
		}
		for _, line := range strings.Split(d.Input, "\n") {
			if words := strings.Fields(line); len(words) > 0 {
				s.tell(words)
			}
		}
		s.run.each(func(w watcher) { w.end() })
		for _, breach := range s.run.Breaches() {
			fmt.Fprintf(&s.out, "%s: %s\n", breach.Invariant, breach.Message)
		}
		if s.out.Len() == 0 {
			return "holds\n"
		}
		return s.out.String()
	})
}

// story is one script that is being told.
type story struct {
	World
	run    *Run
	stream *network.Stream
	open   *bool
	idle   bool
	now    time.Duration
	held   cache.Store
	out    strings.Builder
}

// Now implements World.
func (s *story) Now() time.Duration { return s.now }

// Cache implements World.
func (s *story) Cache(string, string) cache.Store { return s.held }

func (s *story) tell(words []string) {
	number := func(i int) uint64 {
		n, _ := strconv.ParseUint(words[i], 10, 64)
		return n
	}
	switch verb := words[0]; verb {
	case "create", "update", "delete":
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: words[1]}}
		s.run.Change(network.Change{Commit: apiserver.Commit{
			Op: memdb.Op(verb), Revision: number(2), Resource: corev1.SchemeGroupVersion.WithResource("pods"), Object: pod,
		}})
	case "list":
		record := &trace.Record{Actor: "informer", Request: &trace.Request{
			Verb: "list", Object: trace.Object{Resource: "pods"}, Code: 200, RV: words[1],
		}}
		if len(words) > 2 {
			record.FaultSeq = 1
		}
		s.run.Record(record, nil)
	case "watch":
		open := true
		s.open = &open
		s.stream = &network.Stream{
			Actor: "informer", Resource: "pods", From: number(1), Selective: len(words) > 2,
			Open: func() bool { return open }, Idle: func() bool { return s.idle },
		}
		s.run.Opened(s.stream)
	case "travels":
		s.idle = false
	case "arrived":
		s.idle = true
	case "holds":
		if s.held == nil {
			s.held = cache.NewStore(cache.MetaNamespaceKeyFunc)
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: words[1], ResourceVersion: words[2]}}
		if err := s.held.Add(pod); err != nil {
			panic(err)
		}
	case "passes":
		passed, err := time.ParseDuration(words[1])
		if err != nil {
			panic(err)
		}
		s.now += passed
	case "disconnect":
		*s.open = false
	default:
		s.run.Delivered(&network.Delivery{
			Stream: s.stream, Type: watch.EventType(strings.Replace(verb, "listed", "ADDED", 1)), Namespace: "default",
			Name: words[1], Revision: number(2), Listed: verb == "listed",
		})
	}
}
