package why

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/nodes"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/scenarios/verdict/overwrite"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Verdict is the answer in one word.
type Verdict string

// The verdicts.
const (
	// Content is an object that is in its desired state.
	Content Verdict = "as wanted"
	// The verdicts of package liveness about an object that is not. Held is also a custom resource that a webhook does not convert.
	Working = Verdict(liveness.Working)
	Waiting = Verdict(liveness.Waiting)
	Held    = Verdict(liveness.Held)
	Stuck   = Verdict(liveness.Stuck)
	// Unknown is an object of a dump that waits for nothing that the dump shows: its controller may be about to act, or not.
	Unknown Verdict = "not as wanted"
	// Undecided is an object of a dump without kinds that the object depends on.
	Undecided Verdict = "cannot tell"
)

// Answer says why nothing happens to an object.
type Answer struct {
	Object  trace.Object  `json:"object"`
	At      time.Duration `json:"at"`
	Verdict Verdict       `json:"verdict"`
	// Wants is what an object of the kind wants, Lacks the difference.
	Wants string `json:"wants,omitempty"`
	Lacks string `json:"lacks,omitempty"`
	// Note is what looks like a lack in an object that is in its desired state.
	Note string `json:"note,omitempty"`
	// Placed says why a Pod is on its node.
	Placed string `json:"placed,omitempty"`
	// Attempt is kube-scheduler's last attempt to find a node for a Pod, as far as it is known.
	Attempt *arithmetic.Explanation `json:"attempt,omitempty"`
	// Holds are the reasons, the most important one first, and WaitsFor the object that the first is about.
	Holds    []string      `json:"holds,omitempty"`
	WaitsFor *trace.Object `json:"waitsFor,omitempty"`
	// Due is what the kubelet of a Pod does next, as far as it is known, and Pulls are the pulls of images that it waits for.
	Due   []Due  `json:"due,omitempty"`
	Pulls []Pull `json:"pulls,omitempty"`
	// Webhooks are the calls of webhooks about it that failed or were slow, each the last one of its webhook.
	Webhooks []*Call `json:"webhooks,omitempty"`
	// Since is the time of the record from which on it has lacked something.
	Since *Moment `json:"since,omitempty"`
	// Actor has to act, if that is no controller of the run.
	Actor string `json:"actor,omitempty"`
	// Controller would have to act, for Key, in Process.
	Controller string `json:"controller,omitempty"`
	Process    string `json:"process,omitempty"`
	Key        string `json:"key,omitempty"`
	Look       *Look  `json:"look,omitempty"`
	// Fault is the one that explains best why the object is stuck, what its controller missed, or why a controller overwrote a field; nil
	// if none does.
	Fault *AppliedFault `json:"fault,omitempty"`
	// Missed is what the cache of its controller lacked when it acted on the object, because of a fault.
	Missed *Missed `json:"missed,omitempty"`
	// Overwritten is a field that a controller overwrote after a user had set it.
	Overwritten *overwrite.Overwrite `json:"overwritten,omitempty"`
	// Hot is a field that goes back and forth.
	Hot  *invariant.Hot `json:"hot,omitempty"`
	Next string         `json:"next,omitempty"`
	// Later is the next look in the recording.
	Later    string `json:"later,omitempty"`
	Upstream string `json:"upstream,omitempty"`

	// reason is what the object waits for, and overwritten is Overwritten in words.
	reason, overwritten string
	// undated means that the time of the state is unknown: it is that of a dump.
	undated bool
	// more is how many other objects a line of a list is about.
	more int
}

// Moment is a record with its time.
type Moment struct {
	Record int64         `json:"record"`
	At     time.Duration `json:"at"`
	Text   string        `json:"text"`
	// Earlier means that it began earlier than here.
	Earlier bool `json:"earlier,omitempty"`
}

// Ask returns an answer for each goal of an object that it misses, or one that says that it misses none.
func (i *Instant) Ask(o trace.Object) []*Answer {
	var answers []*Answer
	content := &Answer{Object: o, At: i.at, Verdict: Content, undated: i.dump != nil}
	for _, goal := range liveness.Goals() {
		if !goal.AppliesTo(schema.ParseGroupResource(o.Resource)) || !i.canAnswer(goal) {
			continue
		}
		if lack := liveness.LackOf(world{i}, goal, o); lack != nil {
			answers = append(answers, i.answer(&liveness.Finding{Object: o, Controller: goal.Controller, Lack: *lack, Goal: goal}))
		} else if content.Note == "" {
			content.Note = liveness.NoteOf(world{i}, goal, o)
		}
		if content.Wants == "" && !goal.Resource.Empty() {
			content.Wants = goal.Sentence
		}
	}
	if running := i.running(o); running != nil && (len(answers) == 0 || o.Resource == "nodes") {
		answers = append([]*Answer{running}, answers...)
	}
	if o.Resource == "pods" {
		content.Wants = podWants
		i.placed(content)
		if text := i.failed(o); text != "" {
			content.Note, content.Holds = text, i.ranked(o)
		}
		i.shutsDown(content)
	}
	if len(answers) == 0 {
		if content.Note == "" {
			content.Note, content.Upstream = liveness.Unselected(world{i}, o)
		}
		i.unreported(content)
		i.misjudged(content)
		answers = append(answers, content)
	}
	i.overwrote(answers[0])
	i.contended(answers[0])
	if text := i.foreignPods(o); text != "" {
		answers[0].Holds = append(answers[0].Holds, text)
	}
	if text := i.mirrors(o); text != "" {
		answers[0].Holds = append(answers[0].Holds, text)
	}
	answers[0].Webhooks = i.calls(o)
	i.unreadable(answers[0])
	return answers
}

// Unmet are the answers for all objects of a namespace that are not in their desired state, for those that only look so, and for those
// of which a dump does not tell; of all namespaces if it is empty. Pods that have a controller are left out if they only are not
// Ready: that waits for them.
func (i *Instant) Unmet(namespace string) []*Answer {
	i.findOverwritten()
	answers := []*Answer{}
	for _, f := range liveness.Find(world{i}) {
		if (namespace == "" || f.Object.Namespace == namespace) && (f.Alone || i.canAnswer(f.Goal)) {
			answers = append(answers, i.answer(f))
		}
	}
	told := map[trace.Object]bool{}
	for _, a := range answers {
		if !told[a.Object] {
			i.overwrote(a)
			i.contended(a)
		}
		told[a.Object] = true
	}
	for _, o := range i.rec.ObjectsAt(i.seq) {
		if namespace != "" && o.Namespace != namespace {
			continue
		}
		if running := i.running(o); running != nil && !told[o] && !i.isControlled(o) {
			answers = append(answers, running)
		}
		noted := &Answer{Object: o, At: i.at, Verdict: Content, Note: i.note(o), undated: i.dump != nil}
		if !told[o] {
			i.misjudged(noted)
			i.overwrote(noted)
			i.contended(noted)
		}
		if noted.Note != "" || noted.Missed != nil || noted.Overwritten != nil || noted.Hot != nil {
			answers = append(answers, noted)
		}
		if a := (&Answer{Object: o, At: i.at, Verdict: Content, Webhooks: i.calls(o)}); i.unreadable(a) {
			answers = append(answers, a)
		}
	}
	return append(answers, i.undecided(namespace)...)
}

// note says what looks like a lack in an object that is in its desired state; empty if nothing does.
func (i *Instant) note(o trace.Object) string {
	if text := i.failed(o); text != "" {
		return text
	}
	for _, goal := range liveness.Goals() {
		if goal.Resource == schema.ParseGroupResource(o.Resource) && i.canAnswer(goal) && liveness.LackOf(world{i}, goal, o) == nil {
			if note := liveness.NoteOf(world{i}, goal, o); note != "" {
				return note
			}
		}
	}
	text, _ := liveness.Unselected(world{i}, o)
	return text
}

// answer completes a finding by what is known about its controller.
func (i *Instant) answer(f *liveness.Finding) *Answer {
	a := &Answer{
		Object: f.Object, At: i.at, Lacks: f.Missing, Wants: f.Goal.Sentence, Upstream: f.Goal.Upstream, WaitsFor: f.On, reason: f.For,
	}
	if i.dump != nil {
		a.Controller = f.Controller
		i.judgeDump(a)
		return a
	}
	a.Since = i.since(f)
	switch {
	case f.Controller == "":
		i.judgeOutside(a, f)
		i.onNode(a)
		return a
	case !i.runs[f.Controller]:
		i.judgeLeftOut(a, f)
		return a
	}
	key := f.Key()
	actor := i.actor(f.Controller, key)
	a.Controller, a.Process, a.Key, a.Look = f.Controller, i.process(actor), key, i.look(actor, key, f.Object)
	if a.Look != nil && a.Look.denied != "" {
		f.Denied(a.Look.denied)
		if a.reason == "" {
			a.Since = &Moment{Record: a.Look.refused, At: i.rec.At(a.Look.refused), Text: trace.Seconds(i.rec.At(a.Look.refused))}
		}
		a.reason = f.For
	}
	i.judge(a, f, actor)
	i.missing(a)
	return a
}

// judge finds the verdict, what holds the object, and what comes next.
func (i *Instant) judge(a *Answer, f *liveness.Finding, actor string) {
	next := i.next(actor, a.Key, a.Look)
	later := recording.Next(i.syncs[queued{actor, a.Key}], i.seq)
	a.Next, a.Holds = next.Text, i.unable(a, actor, nil)
	p := liveness.Prospect{Unable: len(a.Holds) > 0, Again: next.Acts && !next.periodic, Lasts: i.at - a.Since.At}
	if l := a.Look; l != nil && l.End != 0 {
		p.Failed, p.Nothing, p.Idle = l.Failures > 0, l.Nothing && l.At >= a.Since.At, i.at-l.At
	}
	if a.Verdict = Verdict(f.Judge(p)); a.Verdict == Held {
		a.Next = "nothing until that changes"
	}
	if a.Verdict == Stuck {
		a.Fault = i.explainingFault(a)
	}
	if a.reason != "" {
		i.waits(a)
		if a.WaitsFor != nil && i.exists(*a.WaitsFor) {
			later = soonest(later, i.change(*a.WaitsFor))
			if !next.Acts {
				a.Next = "when " + trace.ObjectName(*a.WaitsFor) + " changes"
			}
		}
	}
	a.Later = i.later(later)
}

// judgeOutside finds the verdict for an object that waits for somebody outside the controllers that run, or for which a relation does
// not hold that no controller brings about.
func (i *Instant) judgeOutside(a *Answer, f *liveness.Finding) {
	if a.reason == "" {
		a.Verdict = Verdict(f.Judge(liveness.Prospect{Lasts: i.at - a.Since.At}))
		a.Later = i.later(i.change(a.Object))
		return
	}
	a.Verdict = Waiting
	i.waits(a)
	next := i.change(a.Object)
	if a.WaitsFor != nil && i.exists(*a.WaitsFor) {
		next = soonest(next, i.change(*a.WaitsFor))
	}
	a.Later = i.later(next)
}

// judgeLeftOut says that the controller of an object does not run in the scenario.
func (i *Instant) judgeLeftOut(a *Answer, f *liveness.Finding) {
	a.Verdict, a.Controller = Held, f.Controller
	a.Holds = []string{f.Controller + " does not run: kubernetes.controllers in the scenario omits it"}
	if f.Waits() {
		i.waits(a)
	}
	a.Later = i.later(i.change(a.Object))
}

// waits adds what an object waits for, and what that waits for itself.
func (i *Instant) waits(a *Answer) {
	a.Holds = append(a.Holds, "waiting for "+a.reason)
	if text := i.remaining(a.Object.Name); a.Object.Resource == "namespaces" && text != "" {
		a.Holds = append(a.Holds, text)
	}
	if at, before, ok := i.turn(a); ok {
		a.Holds = append(a.Holds, fmt.Sprintf("the next taint is due at %s, after the one of %s", trace.Seconds(at), before))
	}
	if a.WaitsFor != nil && i.exists(*a.WaitsFor) {
		a.Holds = append(a.Holds, i.chain(*a.WaitsFor)...)
	}
}

// turn is when the next node of a zone gets a taint, for a node that waits for one.
func (i *Instant) turn(a *Answer) (at time.Duration, before string, ok bool) {
	if i.dump != nil || a.Controller != names.NodeLifecycleController {
		return 0, "", false
	}
	at, before, ok = nodes.Turn(i.rec, i.actor(a.Controller, a.Key), a.Object.Name, i.seq)
	return at, before, ok && at > i.at
}

// unable says what keeps a controller from acting at all. Times that are secret, which may be nil, are left out.
func (i *Instant) unable(a *Answer, actor string, secret func(at time.Duration) bool) []string {
	var holds []string
	p := i.Process(a.Process)
	name, _ := trace.SplitActor(actor)
	component := componentOf(name)
	leader, expires := i.leader(component)
	if p.State == Dead || p.State == Paused {
		text := fmt.Sprintf("%s has been %s since %s", p.Name, p.State, trace.Seconds(p.Since))
		if p.State == Dead {
			text += ": it " + p.Why
		}
		due := expires.Sub(i.rec.Epoch())
		if leader == p.Name && len(i.suffixes[component]) > 1 && (secret == nil || !secret(due)) {
			text += fmt.Sprintf("; its lease expires at %s", trace.Seconds(due))
		}
		return []string{text}
	}
	resources := []string{a.Object.Resource}
	if a.Look != nil {
		if end := i.rec.Record(a.Look.End); end != nil && end.Sync != nil {
			for _, read := range end.Sync.Reads {
				if kind := kinds.BuiltIn().Named(read.Resource); kind != nil && kind.GroupResource().String() != a.Object.Resource {
					resources = append(resources, kind.GroupResource().String())
				}
			}
		}
		if rule, request := i.heldRequest(a.Look.Start); rule != "" && a.Look.End == 0 {
			holds = append(holds, fmt.Sprintf("its request %s has been held since %s (fault %s)", request, trace.Seconds(a.Look.At), rule))
		}
	}
	return append(holds, i.staleCaches(actor, resources)...)
}

// keyOf is the key under which controllers queue an object.
func keyOf(o trace.Object) string {
	if o.Namespace == "" {
		return o.Name
	}
	return o.Namespace + "/" + o.Name
}
