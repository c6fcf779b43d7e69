package place

import (
	"time"

	"k8s.io/kubernetes/pkg/controller"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// Kind is a kind of fault.
type Kind struct {
	Name string
	// Sentence says what goes wrong.
	Sentence string

	// of is what the fault applies to, and where the word before the place.
	of    selection
	where string
	// effect completes a rule that applies to one write or event.
	effect func(*format.FaultRule)
	// rules, if set, are the rules instead, and parts name those after the first; none if the fault does not apply.
	rules func(*Look, spot) []format.FaultRule
	parts []string
	// pairs means that the fault is about a write and its event.
	pairs bool
}

// name is the name of a rule.
func (k *Kind) name(rule int) string {
	if rule == 0 {
		return k.Name
	}
	return k.Name + "-" + k.parts[rule-1]
}

// at are the rules of the fault at a write or event.
func (k *Kind) at(l *Look, s spot) []format.FaultRule {
	var rules []format.FaultRule
	switch {
	case !k.of.has(s):
		return nil
	case k.rules != nil:
		rules = k.rules(l, s)
	default:
		rules = []format.FaultRule{with(s.rule(), k.effect)}
	}
	for i := range rules {
		rules[i].Name = k.name(i)
	}
	return rules
}

// Applies says what the fault applies to: each write.
func (k *Kind) Applies() string { return k.of.name }

// selection are the writes or the events to which a kind of fault can apply.
type selection struct {
	name string
	has  func(spot) bool
}

var (
	eachWrite = selection{"each write", func(s spot) bool { return s.write != nil }}
	// A kubelet that starts again finds the containers that run, so that its crash shows less than that of a controller.
	eachDecision = selection{"each write but those of kubelets", func(s spot) bool {
		return s.write != nil && !isUpstreamKubelet(s.write.Actor)
	}}
	eachUpdate = selection{"each update and patch", func(s spot) bool {
		return s.write != nil && (s.write.Verb == "update" || s.write.Verb == "patch")
	}}
	eachEvent   = selection{"each watch event", func(s spot) bool { return s.event != nil }}
	eachPair    = selection{"each write that its controller watches", func(s spot) bool { return s.binding == nil }}
	eachTimer   = selection{"each time that a sync requeues its key for later", func(s spot) bool { return s.timer != nil }}
	eachBinding = selection{"each Pod of a controller that is bound", func(s spot) bool { return s.binding != nil }}
)

// late is how late a write or an event is, and lateAnswer how late an answer. Most caches are behind by milliseconds.
const (
	late       = 5 * time.Second
	lateAnswer = 2 * time.Second
)

// silence is how long a watch is silent: client-go notices a broken connection after seconds, but not a server that does not send.
// Controllers expect to see what they create within five minutes (controller.ExpectationsTimeout).
const silence = controller.ExpectationsTimeout + time.Minute

// outage and Deposed are names of kinds.
const (
	outage  = "outage"
	Deposed = "deposed-leader"
)

// rejection is what a kubelet says that cannot allocate a device, whatever the Pod is.
const rejection = "UnexpectedAdmissionError"

// retries is how often an outage refuses a write: with maxRetries 15, the key is dropped after 16 attempts.
const retries = 16

// Kinds lists the kinds of faults, the most telling ones first.
func Kinds() []Kind {
	return []Kind{
		{
			Name: "crash-after-write", of: eachDecision, where: "after", effect: crash(Restart),
			Sentence: "The process crashes right after the write, and starts again 500ms later.",
		},
		{Name: "refused-write", of: eachWrite, where: "at", effect: refuse, Sentence: "The write fails with an internal error, once."},
		{
			Name: "lost-answer", of: eachWrite, where: "of", effect: lose,
			Sentence: "The write is executed, but its answer is a timeout.",
		},
		{
			Name: "rejected-pod", of: eachBinding, where: "at", effect: func(rule *format.FaultRule) { rule.Reject = rejection },
			Sentence: "The kubelet of its node rejects the Pod, which then has failed for good.",
		},
		{
			Name: outage, of: eachWrite, where: "from", rules: func(_ *Look, s spot) []format.FaultRule {
				return []format.FaultRule{s.write.Outage()}
			},
			Sentence: "The write and its repetitions fail with an internal error, 16 times: most controllers drop a key after 15 retries.",
		},
		{
			Name: "stale-restart-after-write", of: eachDecision, where: "after", rules: staleAfterWrite, parts: staleParts,
			Sentence: "As crash-after-write, but the process starts with an old list, without the write, and sees the rest 5s later.",
		},
		{
			Name: "stale-restart-after-event", of: eachEvent, where: "after", rules: staleAfterEvent, parts: staleParts,
			Sentence: "The process crashes 5s after the event, starts 500ms later with a list from before it, and sees the rest 5s later.",
		},
		{Name: "conflict", of: eachUpdate, where: "at", effect: conflict, Sentence: "The write fails with a conflict, once."},
		{
			Name: "crash-before-write", of: eachDecision, where: "before", effect: crashBefore(Restart),
			Sentence: "The process crashes before the write is executed, and starts again 500ms later.",
		},
		{
			Name: "missed-event", of: eachEvent, where: "at", effect: func(rule *format.FaultRule) { rule.Expire = true },
			Sentence: "The watch expires at the event, so that the informer learns of the change from its next list.",
		},
		{
			Name: "late-event", of: eachEvent, where: "at", effect: delay,
			Sentence: "The informer receives the event, and all that follow for that resource, 5s late.",
		},
		{
			Name: "late-write", of: eachWrite, where: "at", effect: delay,
			Sentence: "The write reaches the API server 5s late, and the controller waits for its answer.",
		},
		{
			Name: "late-answer", of: eachWrite, where: "of", effect: delayResponse,
			Sentence: "The write is executed, and informers see it, 2s before its answer arrives.",
		},
		{
			Name: "swapped-answer", of: eachPair, where: "at", rules: swap, pairs: true,
			Sentence: "The answer and the watch event of the write come in the other order: the first is late, by milliseconds.",
		},
		{
			Name: "silent-watch", of: eachEvent, where: "from", rules: silent,
			Sentence: "The watch sends nothing for 6 minutes, longer than controllers wait for what they create.",
		},
		{
			Name: Deposed, of: eachWrite, where: "at", rules: depose, parts: []string{"lease"},
			Sentence: "The write is in transit while the lease of its leader expires, and arrives 10s later.",
		},
		{
			Name: "late-timer", of: eachTimer, where: "at", effect: delay,
			Sentence: "The sync is suspended for 5s when it asks for its key to be added again later, and so the key comes 5s late.",
		},
	}
}

// crash crashes the process after a write, and starts it again after a while.
func crash(down time.Duration) func(*format.FaultRule) {
	return func(rule *format.FaultRule) { rule.Crash, rule.Restart = true, notation.NewDuration(down) }
}

// crashBefore crashes the process instead of a write.
func crashBefore(down time.Duration) func(*format.FaultRule) {
	return func(rule *format.FaultRule) {
		crash(down)(rule)
		rule.Fail = "ServiceUnavailable"
	}
}

func refuse(rule *format.FaultRule)   { rule.Fail = "InternalError" }
func conflict(rule *format.FaultRule) { rule.Fail = "Conflict" }
func lose(rule *format.FaultRule)     { rule.Fail, rule.AfterCommit = "Timeout", true }
func delay(rule *format.FaultRule)    { rule.Delay = &notation.Delay{Min: late, Max: late} }

func delayResponse(rule *format.FaultRule) {
	rule.ResponseDelay = &notation.Delay{Min: lateAnswer, Max: lateAnswer}
}
