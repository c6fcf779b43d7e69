package perturb

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/review"
)

// Call is a call of a webhook that the controller serves.
type Call struct {
	callKind
	// Object is what the webhook was called for, and Client who sent the request.
	Object trace.Object
	Client string
	// Nth is its position among the calls of its kind, from 1.
	Nth int
	// Sent is when the API server called.
	Sent time.Duration

	configuration, server string
}

// callKind is what the calls have in common that a rule counts.
type callKind struct{ hook, operation, resource string }

// String says which call it is: CREATE of configmaps/web for mine at 12ms (check.example.com configmaps 1).
func (c *Call) String() string {
	object, at := trace.ObjectName(c.Object), notation.Text(place.Rounded(c.Sent))
	return fmt.Sprintf("%s of %s for %s at %s (%s %s %d)", c.operation, object, c.Client, at, c.hook, c.resource, c.Nth)
}

// called notes a call of a webhook.
func (q *Quiet) called(record *trace.Record) {
	w := record.Webhook
	if fault.IsRoutine(notation.Plural(w.Resource)) {
		return
	}
	q.calls = append(q.calls, Call{
		callKind: callKind{w.Hook, w.Operation, w.Resource}, Client: w.Client, Sent: w.Sent, configuration: w.Configuration,
		Object: trace.Object{Resource: w.Resource, Namespace: w.Namespace, Name: w.Name}, server: record.Actor,
	})
}

// webhook identifies an admission webhook.
type webhook struct{ configuration, hook string }

// configured notes which webhooks of a new configuration have failurePolicy Ignore.
func (q *Quiet) configured(w *trace.Write) {
	switch w.Resource {
	case "mutatingwebhookconfigurations.admissionregistration.k8s.io", "validatingwebhookconfigurations.admissionregistration.k8s.io":
	default:
		return
	}
	var configuration struct {
		Webhooks []struct{ Name, FailurePolicy string } `json:"webhooks"`
	}
	if json.Unmarshal(w.New, &configuration) != nil {
		return
	}
	for _, hook := range configuration.Webhooks {
		if hook.FailurePolicy == "Ignore" {
			q.ignored[webhook{w.Name, hook.Name}] = true
		}
	}
}

// number finds the calls of the webhooks that the controller serves. A rule counts those of all servers.
func (q *Quiet) number() {
	slices.SortStableFunc(q.calls, func(a, b Call) int { return cmp.Compare(a.Sent, b.Sent) })
	counts := map[callKind]int{}
	q.Calls = nil
	for _, call := range q.calls {
		counts[call.callKind]++
		call.Nth = counts[call.callKind]
		if call.server == q.Actor {
			q.Calls = append(q.Calls, call)
		}
	}
}

// isFatal reports whether a step of the scenario fails if the webhook does, which ends a run. There is nothing to find out then.
func (q *Quiet) isFatal(c *Call) bool {
	return c.Client == verb.User && (c.operation == review.Convert || !q.ignored[webhook{c.configuration, c.hook}])
}

// eachCall returns a plan for each call with an effect on it.
func (q *Quiet) eachCall(fails bool, effect func(*format.FaultRule)) (plans []Plan) {
	for i := range q.Calls {
		c := &q.Calls[i]
		if fails && q.isFatal(c) {
			continue
		}
		rule := format.FaultRule{Nth: c.Nth, Times: 1, Webhook: &format.FaultWebhook{
			Name: c.hook, Operation: c.operation, Resource: notation.Plural(c.resource),
		}}
		effect(&rule)
		plans = append(plans, Plan{Place: "at " + c.String(), Rules: []format.FaultRule{rule}})
	}
	return plans
}

func webhookRefused(q *Quiet) []Plan {
	return q.eachCall(true, func(rule *format.FaultRule) { rule.Disconnect = true })
}

// tooLate is longer than any timeout of a webhook, and late longer than a controller is used to.
const (
	tooLate = 31 * time.Second
	late    = 2 * time.Second
)

func webhookTimeout(q *Quiet) []Plan {
	return q.eachCall(true, func(rule *format.FaultRule) { rule.Delay = &notation.Delay{Min: tooLate, Max: tooLate} })
}

func webhookSlow(q *Quiet) []Plan {
	return q.eachCall(false, func(rule *format.FaultRule) { rule.Delay = &notation.Delay{Min: late, Max: late} })
}
