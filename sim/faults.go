package sim

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// faults holds the fault rules of a simulation, and the requests that they hold.
type faults struct {
	set fault.Set
	// held are the requests that wait until a rule ends.
	held map[*fault.Rule][]held
	// streams are the open watches, in the order in which they were opened.
	streams []*stream
	// writes counts the writing requests of each sync, by the number of its record.
	writes map[int64]int
	// crash ends the process that an actor belongs to.
	crash func(actor string, rule *fault.Rule, cause int64)
}

// held is a request that waits until a rule ends; it is abandoned if the simulation ends first.
type held struct{ resume, abandon func() }

func (s *Simulation) newFaults() {
	s.faults = &faults{held: map[*fault.Rule][]held{}, writes: map[int64]int{}}
	// A float64 holds 53 bits exactly.
	const exact = 1 << 53
	s.faults.set.Chance = func(rule string) float64 {
		return float64(s.Engine.Draw("fault|"+rule, 0, exact-1)) / exact
	}
}

// Faults lists the rules that were added with Arm.
func (s *Simulation) Faults() []*fault.Rule { return s.faults.set.Rules() }

// OnCrash sets the function that ends the process of an actor.
func (s *Simulation) OnCrash(crash func(actor string, rule *fault.Rule, cause int64)) {
	s.faults.crash = crash
}

// Arm adds a rule, on the engine's goroutine. cause is the record that requests it.
func (s *Simulation) Arm(rule *fault.Rule, cause int64) {
	s.faults.set.Add(rule)
	if rule.CutsAtOnce() {
		s.Engine.At(rule.From, "fault|cut|"+rule.Name, func() { s.cutAll(rule) })
		return
	}
	if rule.Until > 0 {
		s.Engine.At(rule.Until, "fault|end|"+rule.Name, func() { s.end(rule, 0) })
	}
}

// Release ends the rules of a name, on the engine's goroutine, and releases what they held. It reports whether there
// were any.
func (s *Simulation) Release(name string, cause int64) bool {
	rules := s.faults.set.End(name)
	for _, rule := range rules {
		s.end(rule, cause)
	}
	return len(rules) > 0
}

// end releases what a rule held.
func (s *Simulation) end(rule *fault.Rule, cause int64) {
	s.faults.set.End(rule.Name)
	waiting := s.faults.held[rule]
	delete(s.faults.held, rule)
	count := len(waiting)
	for _, st := range s.faults.streams {
		count += st.held(rule)
	}
	if count > 0 {
		seq := s.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Cause: cause, Fault: &trace.Fault{
			Rule: rule.Name, Effect: "release", Count: count,
		}})
		for _, st := range s.faults.streams {
			st.release(rule, seq)
		}
	}
	now := s.Engine.Now()
	for _, h := range waiting {
		s.Engine.Schedule(&engine.Event{
			Key: "fault|release|" + rule.Name, Due: func() time.Duration { return now },
			Run: h.resume, Abandon: h.abandon,
		})
	}
}

// abandonHeld abandons the held requests when the simulation ends.
func (s *Simulation) abandonHeld() {
	for _, waiting := range s.faults.held {
		for _, h := range waiting {
			h.abandon()
		}
	}
}

// intercept applies the rules to a request that arrives at the server. It returns true if the request must not be
// executed now; in that case resume is called later.
func (s *Simulation) intercept(c *call, resume func()) bool {
	if c.checked {
		return false
	}
	c.checked = true
	var delay time.Duration
	for _, rule := range s.faults.set.Trigger(fault.Requests, s.Engine.Now(), s.subject(c)) {
		c.faultSeq = s.recordFault(rule, c)
		switch effect := rule.Effect; {
		case effect.Hold:
			s.faults.held[rule] = append(s.faults.held[rule], held{resume, c.abandon})
			return true
		case effect.DelayMax > 0:
			delay += s.Engine.Draw("fault|delay|"+rule.Name, effect.DelayMin, effect.DelayMax)
		}
		c.rule = rule
	}
	if delay == 0 {
		return false
	}
	s.schedule(c, s.Engine.Now()+delay, resume)
	return true
}

// Receive executes a request that arrives over another network, as those of an election do, on the engine's goroutine,
// when it is its turn and no fault holds it. answer is called when the response has travelled back.
func (s *Simulation) Receive(req apiserver.Request, background bool, answer func(runtime.Object, error)) {
	c := &call{request: req, key: callKey(req), sent: s.Engine.Now(), ended: func() { answer(nil, errEnded) }}
	var receive func()
	receive = func() {
		if s.intercept(c, receive) {
			return
		}
		s.execute(c, 0, background, func(r result) {
			s.crash(c)
			c.back = s.back(c)
			s.answer(c, func() { answer(r.object, r.err) })
		})
	}
	s.serve(c, receive)
}

// crash ends the process that sent a request, if a rule says so.
func (s *Simulation) crash(c *call) {
	if c.rule != nil && c.rule.Effect.Crash && s.faults.crash != nil {
		s.faults.crash(c.request.Actor, c.rule, c.faultSeq)
	}
}

// subject describes a request to the rules.
func (s *Simulation) subject(c *call) fault.Subject {
	req := c.request
	subject := fault.Subject{
		Actor: req.Actor, Verb: req.Verb, Resource: req.Resource.Resource, Group: req.Resource.Group,
		Subresource: req.Subresource, Namespace: req.Namespace, Name: requestName(req),
	}
	subject.Object = func() runtime.Object {
		if req.Object != nil {
			return req.Object
		}
		object, _ := s.State.Get(req.Resource.GroupResource(), req.Namespace, req.Name)
		return object
	}
	// Events are written by a separate goroutine and belong to no sync.
	if c.task != nil && req.Writes() {
		s.faults.writes[c.task.Seq()]++
		subject.Write = s.faults.writes[c.task.Seq()]
	}
	return subject
}

// recordFault records that a request triggers a rule.
func (s *Simulation) recordFault(rule *fault.Rule, c *call) int64 {
	req := c.request
	return s.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Actor: req.Actor, Cause: c.cause(), Fault: &trace.Fault{
		Rule: rule.Name, Effect: rule.Effect.String(), Verb: req.Verb,
		Object: objectOf(req.Resource, req.Namespace, requestName(req)), Subresource: req.Subresource,
	}})
}

// executor executes a request through one of the interfaces of the API server.
type executor func(apiserver.Request) (runtime.Object, error)

// withFault returns do with the effect of the rule that applies to the request.
func (s *Simulation) withFault(c *call, do executor) executor {
	effect := c.rule.Effect
	return func(req apiserver.Request) (runtime.Object, error) {
		if past := effect.AsOf; (effect.Stale > 0 || past > 0) && req.Verb == "list" {
			if effect.Stale > 0 {
				past = s.Engine.Now() - effect.Stale
			}
			req.ListOptions.ResourceVersion = s.revisionAt(past)
			req.ListOptions.ResourceVersionMatch = metav1.ResourceVersionMatchExact
		}
		if effect.Refuses() && !effect.AfterCommit {
			return nil, refusal(c.rule, req)
		}
		object, err := do(req)
		if effect.Refuses() {
			return nil, refusal(c.rule, req)
		}
		return object, err
	}
}

// refuses reports whether a rule answers the call with an error.
func (c *call) refuses() bool { return c.rule != nil && c.rule.Effect.Refuses() }

// refusal is the status that a client receives. Its message names the rule, which makes it easy to recognize in the
// errors and Events that follow.
func refusal(rule *fault.Rule, req apiserver.Request) error {
	effect := rule.Effect
	text := "an injected fault"
	switch effect.Code {
	case http.StatusGatewayTimeout:
		text = "the request did not complete within the allotted timeout"
	case http.StatusConflict:
		text = "the request was rejected"
	case http.StatusTooManyRequests:
		text = "the server has received too many requests"
	case http.StatusServiceUnavailable:
		text = "the server is currently unable to handle the request"
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(effect.Code), Reason: metav1.StatusReason(effect.Reason),
		Message: text + " (" + rule.Name + ")",
		Details: &metav1.StatusDetails{
			Group: req.Resource.Group, Kind: req.Resource.Resource, Name: requestName(req),
			RetryAfterSeconds: int32(effect.RetryAfter / time.Second),
		},
	}}
}

// revisionAt is the resourceVersion that the store had at a virtual time.
func (s *Simulation) revisionAt(at time.Duration) string {
	newest := uint64(1)
	for revision, origin := range s.written {
		if origin.at <= at && revision > newest {
			newest = revision
		}
	}
	return strconv.FormatUint(newest, 10)
}

// retryMax is how often client-go retries a request that is answered with Retry-After (rest.Request's default of
// maxRetries).
const retryMax = 10

// retryAfter returns how long client-go waits before it retries a refused request (rest.IsNextRetry): it retries on 429
// and 5xx with the header Retry-After. HTTP clients do so themselves.
func retryAfter(err error) (time.Duration, bool) {
	seconds, suggested := apierrors.SuggestsClientDelay(err)
	if !suggested || seconds <= 0 {
		return 0, false
	}
	status, ok := err.(apierrors.APIStatus)
	code := 0
	if ok {
		code = int(status.Status().Code)
	}
	again := code == http.StatusTooManyRequests || code >= http.StatusInternalServerError
	return time.Duration(seconds) * time.Second, again
}

// splitResource splits the name of a resource in the trace: deployments.apps.
func splitResource(name string) (resource, group string) {
	resource, group, _ = strings.Cut(name, ".")
	return resource, group
}
