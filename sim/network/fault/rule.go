package fault

import (
	"path"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/trace"
)

// Place is where a rule applies.
type Place int

// Requests of clients, when they arrive at the API server; watch events, when they arrive at an informer; calls of admission webhooks,
// when they arrive at the process that serves the webhook; Pods, when the kubelet of their node is to admit them; and delayed additions to
// a work queue, when a sync asks for them.
const (
	Requests Place = iota
	Watches
	Webhooks
	Kubelets
	Timers
)

// Rule describes a fault and when it happens.
type Rule struct {
	// Name is the rule's name in the trace.
	Name  string
	Place Place
	Match Match
	// Nth is the first match that triggers the rule, at least 1; Times is how many do from there on, 0 for all.
	Nth, Times int
	// From and Until limit when the rule triggers; Until 0 means no end.
	From, Until time.Duration
	// Probability is the probability that a match triggers the rule; 0 means always.
	Probability float64
	Effect      Effect

	// Apart means that nothing happens otherwise before From than without the rule, to the last draw.
	Apart bool

	// Owns, if set, selects by actor instead of Match.Actor: all actors of a process.
	Owns func(actor string) bool

	ended     bool
	matched   int
	triggered int
	// outside counts the matches before From and after Until, and skipped those that the probability excludes.
	outside, skipped int
	// met is the time of the last match, and last that of the last match of each actor that triggered the rule.
	met     time.Duration
	last    map[string]time.Duration
	closest closest
}

// Match selects requests or watch events; an empty field matches all.
type Match struct {
	// Actor and ObjectName are globs as in path.Match: web-* is every name that begins with web-.
	Actor, ObjectName string
	// Verb is that of a request, the type of a watch event (ADDED, MODIFIED, DELETED), or the operation that a webhook is called
	// for (CREATE, UPDATE, DELETE, CONNECT, CONVERT).
	Verb string
	// Webhook is a glob of the name of a webhook, and Node one of the name of a node whose kubelet is to admit a Pod.
	Webhook, Node string
	// Resource is the plural name; Group its group. An empty one matches all that are not routine (IsRoutine).
	Resource, Group string
	// Subresource must be equal; * matches all, and the resource itself.
	Subresource string
	Namespace   string
	// Where is a condition on the object, and Condition its text; nil matches all.
	Where     func(runtime.Object) bool
	Condition string
	// Write is the position of a request among the writes of its sync, from 1; 0 matches all.
	Write int
}

// Effect is what happens to a request or watch event that triggers a rule.
type Effect struct {
	// Code and Reason refuse a request: 409 Conflict. AfterCommit executes it first: the client receives an error
	// although the write succeeded.
	Code        int
	Reason      string
	AfterCommit bool
	// RetryAfter is the header of a refusal: client-go waits that long and retries the request.
	RetryAfter time.Duration
	// DelayMin and DelayMax limit the additional latency of a request or a watch event, ResponseMin and ResponseMax that of the response
	// to a request: it is executed, and informers see what it wrote, before the client has the answer.
	DelayMin, DelayMax       time.Duration
	ResponseMin, ResponseMax time.Duration
	// Hold holds a request or a watch stream until the rule ends. Coalesce keeps only the newest held event of each
	// object, as the cache of an API server does for a slow client.
	Hold, Coalesce bool
	// Stale answers a list with the state that the store had that long ago.
	Stale time.Duration
	// AsOf answers a list with the state that the store had at that virtual time.
	AsOf time.Duration
	// Crash ends the process that sent the request, after the commit, or instead of it if the effect refuses the request; or the process
	// that watches, before it sees the event. It starts again after Restart; 0 means never.
	Crash   bool
	Restart time.Duration
	// Disconnect ends a watch, or refuses the connection to a webhook; Expire ends a watch with 410, so that the client lists
	// again.
	Disconnect, Expire bool
	// Reject is the reason with which a kubelet rejects a Pod: OutOfcpu. The Pod fails for good.
	Reject string
}

// Refuses reports whether the effect answers a request with an error.
func (e Effect) Refuses() bool { return e.Code > 0 }

// decides reports whether the effect determines the result, so that later rules do not apply.
func (e Effect) decides() bool {
	return e.Refuses() || e.Hold || e.Crash || e.Stale > 0 || e.AsOf > 0 || e.Disconnect || e.Expire || e.Reject != ""
}

// String describes the effect: 500 InternalError, hold.
func (e Effect) String() string {
	var words []string
	add := func(when bool, word string) {
		if when {
			words = append(words, word)
		}
	}
	add(e.Refuses(), trace.RefuseEffect(e.Code, e.Reason))
	add(e.AfterCommit, "after the commit")
	add(e.RetryAfter > 0, "Retry-After "+strconv.Itoa(int(e.RetryAfter/time.Second)))
	add(e.DelayMax > 0, trace.EffectDelay)
	add(e.ResponseMax > 0, trace.EffectDelayResponse)
	add(e.Hold, trace.EffectHold)
	add(e.Coalesce, "coalesce")
	add(e.Stale > 0, "list of "+e.Stale.String()+" ago")
	add(e.AsOf > 0, "list as of "+e.AsOf.String())
	add(e.Crash && !e.Refuses(), trace.EffectCrash)
	add(e.Crash && e.Refuses(), trace.EffectCrashBefore)
	add(e.Disconnect, "disconnect")
	add(e.Expire, "410 Expired")
	add(e.Reject != "", trace.RejectEffect(e.Reject))
	return trace.JoinEffects(words)
}

// Subject is a request, a watch event or a call of a webhook to which rules may apply.
type Subject struct {
	Actor, Verb, Resource, Group, Subresource, Namespace, Name string
	// Webhook is the name of the webhook that is called, and Node that of the node that a Pod is bound to.
	Webhook, Node string
	// Object is what the request sends, what the server has if it sends nothing, or that of the watch event; it returns nil
	// if there is none. A nil Object is one that nobody can ask for.
	Object func() runtime.Object
	// Write is the position of a request among the writes of its sync.
	Write int
}

// meets reports whether the object meets a condition.
func (s Subject) meets(where func(runtime.Object) bool) bool {
	if where == nil || s.Object == nil {
		return where == nil
	}
	object := s.Object()
	return object != nil && where(object)
}

// IsRoutine reports whether a resource is written continuously and without consequences. A rule applies to it only if it
// names it: most requests of an actor are about Events and leases, and few of its faults would strike anything else.
func IsRoutine(resource string) bool { return resource == "events" || resource == "leases" }

// objectName is the name of the criterion of Match.Where.
const objectName = "object"

// criterion is one condition of a rule. asked reports whether the rule has it.
type criterion struct {
	name  string
	asked bool
	met   bool
	// want is what the rule requires, and got the actual value.
	want, got string
}

// criteria lists the conditions of a rule on a subject, from the most to the least general.
func (r *Rule) criteria(s Subject) [9]criterion {
	m := r.Match
	verb := map[Place]string{Requests: "verb", Watches: "type", Webhooks: "operation", Kubelets: "verb", Timers: "verb"}[r.Place]
	resource, wanted := m.Resource == s.Resource && m.Group == s.Group, m.Resource
	if m.Resource == "" {
		if resource = !IsRoutine(s.Resource); !resource {
			wanted = "other than events and leases"
		}
	}
	return [...]criterion{
		{"actor", m.Actor != "" || r.Owns != nil, r.MatchesActor(s.Actor), m.Actor, s.Actor},
		{"webhook", m.Webhook != "", matchesGlob(m.Webhook, s.Webhook), m.Webhook, s.Webhook},
		{"node", m.Node != "", matchesGlob(m.Node, s.Node), m.Node, s.Node},
		{"resource", m.Resource != "" || r.Owns == nil, resource, wanted, s.Resource},
		{"subresource", m.Subresource != "*" && r.Owns == nil, m.Subresource == s.Subresource, m.Subresource, s.Subresource},
		{verb, m.Verb != "", m.Verb == s.Verb, m.Verb, s.Verb},
		{"namespace", m.Namespace != "", m.Namespace == s.Namespace, m.Namespace, s.Namespace},
		{"name", m.ObjectName != "", matchesGlob(m.ObjectName, s.Name), m.ObjectName, s.Name},
		{"place in its sync", m.Write > 0, m.Write == s.Write, strconv.Itoa(m.Write), strconv.Itoa(s.Write)},
	}
}

// MatchesActor reports whether the rule may apply to what an actor does.
func (r *Rule) MatchesActor(actor string) bool {
	if r.Owns != nil {
		return r.Owns(actor)
	}
	return r.Match.Actor == "" || matchesGlob(r.Match.Actor, actor)
}

func matchesGlob(pattern, text string) bool {
	matched, err := path.Match(pattern, text)
	return err == nil && matched
}

// matches reports whether the rule applies to the subject, and remembers the first criterion that failed.
func (r *Rule) matches(s Subject) bool {
	for i, c := range r.criteria(s) {
		if c.asked && !c.met {
			r.closest.note(i, c)
			return false
		}
	}
	// The condition comes last, because it costs most.
	if !s.meets(r.Match.Where) {
		r.closest.note(len(r.criteria(s)), criterion{name: objectName, want: r.Match.Condition})
		return false
	}
	return true
}

// EffectText describes the effect: a process that watches crashes at no commit.
func (r *Rule) EffectText() string {
	if r.Place == Watches && r.Effect.Crash {
		return trace.EffectCrashWatching
	}
	return r.Effect.String()
}

// String describes the rule: update replicasets of deployment-controller: 500 InternalError, 2 times.
func (r *Rule) String() string {
	m := r.Match
	words := m.Verb
	switch r.Place {
	case Watches:
		words = strings.TrimSpace("watch " + m.Verb)
	case Webhooks:
		words = strings.TrimSpace("webhook " + strings.TrimSpace(m.Webhook+" "+m.Verb))
	case Kubelets:
		words = "kubelet, pods"
	case Timers:
		words = "timer"
	}
	add := func(word string) { words = strings.TrimSpace(words + " " + word) }
	what := m.Resource
	if m.Subresource != "" && r.Place != Webhooks {
		what += "/" + m.Subresource
	}
	add(what)
	if m.ObjectName != "" {
		add(m.ObjectName)
	}
	if m.Namespace != "" {
		add("-n " + m.Namespace)
	}
	if m.Condition != "" {
		add("where " + m.Condition)
	}
	if m.Actor != "" {
		add("of " + m.Actor)
	}
	if m.Node != "" {
		add("on " + m.Node)
	}
	if words == "" {
		words = "every request"
	}
	if m.Write > 0 {
		words += ", write " + strconv.Itoa(m.Write) + " of a sync"
	}
	words += ": " + r.EffectText()
	if r.Nth > 1 {
		words += ", from match " + strconv.Itoa(r.Nth)
	}
	if r.Until > 0 {
		words += ", until " + r.Until.String()
	}
	if r.Probability > 0 {
		words += ", with probability " + strconv.FormatFloat(r.Probability, 'g', -1, 64)
	}
	if r.Times > 0 {
		words += ", x" + strconv.Itoa(r.Times)
	}
	return words
}
