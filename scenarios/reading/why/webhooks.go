package why

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/review"
)

// slowCall is how long a call of a webhook may take before it is worth telling.
const slowCall = time.Second

// Call is the last call of a webhook about an object, if the webhook refused or delayed the request.
type Call struct {
	// Record is that of the answer, and At its time; Took is how long the request waited.
	Record int64         `json:"record"`
	At     time.Duration `json:"at"`
	Took   time.Duration `json:"took"`
	// Hook is the name of the webhook, in Configuration. Server is the process that answered, empty if there was none.
	Hook          string `json:"hook"`
	Configuration string `json:"configuration"`
	Server        string `json:"server,omitempty"`
	// Text says what was asked and answered; Client sent the request.
	Text   string `json:"text"`
	Client string `json:"client,omitempty"`
	// Refused means that the request failed because of it. It did not if failurePolicy is Ignore.
	Refused bool `json:"refused,omitempty"`
	// Failures is how many calls in a row ended without the consent of the webhook, this one included.
	Failures int `json:"failures,omitempty"`

	converts bool
}

// asked is what a webhook is asked about an object. The last call counts, and those before it only if they failed, too.
type asked struct{ hook, operation, subresource, version string }

// calls are the last calls of all webhooks about an object that refused or delayed a request, in the order of time.
func (i *Instant) calls(o trace.Object) []*Call {
	last := map[asked]*Call{}
	for _, seq := range i.called[o] {
		if seq > i.seq {
			break
		}
		w := i.rec.Record(seq).Webhook
		of := asked{w.Configuration + "/" + w.Hook, w.Operation, w.Subresource, w.Version}
		call := i.call(seq)
		if before := last[of]; before != nil && !w.Allowed {
			call.Failures += before.Failures
		}
		last[of] = call
	}
	var troubles []*Call
	for _, call := range last {
		if call.Failures > 0 || call.Took >= slowCall {
			troubles = append(troubles, call)
		}
	}
	slices.SortFunc(troubles, func(a, b *Call) int { return cmp.Compare(a.Record, b.Record) })
	return troubles
}

// call describes one call.
func (i *Instant) call(seq int64) *Call {
	record := i.rec.Record(seq)
	w := record.Webhook
	call := &Call{
		Record: seq, At: record.At, Took: record.At - w.Sent, Hook: w.Hook, Configuration: w.Configuration, Text: w.Text(),
		Client: w.Client,
	}
	if record.Actor != trace.APIServerActor {
		call.Server = record.Actor
	}
	if !w.Allowed {
		call.Failures, call.Refused = 1, i.hasFailed(seq)
	}
	return call
}

// hasFailed reports whether a call without the consent of the webhook made the request fail. An event of a watch that cannot be converted
// has no request.
func (i *Instant) hasFailed(seq int64) bool {
	request := i.rec.Record(i.calledBy[seq])
	if request == nil {
		return true
	}
	return request.Request.Code >= http.StatusBadRequest
}

// line is the line about a call.
func (c *Call) line(now time.Duration) string {
	who := c.Hook
	if c.Configuration != c.Hook {
		who += " of " + c.Configuration
	}
	if c.Server != "" {
		who += ", in " + c.Server
	}
	took := "at once"
	if c.Took >= time.Millisecond {
		took = "after " + recording.Short(c.Took)
	}
	if c.Client != "" {
		took = "for " + c.Client + ", " + took
	}
	text := fmt.Sprintf("%s, record %d, %s ago: %s: %s (%s)", trace.Seconds(c.At), c.Record, recording.Short(now-c.At), who, c.Text, took)
	if c.Failures > 0 && !c.Refused {
		text += "; failurePolicy ignored that"
	}
	if c.Failures > 1 {
		text += fmt.Sprintf("; the last of %d failures in a row", c.Failures)
	}
	return text
}

// unreadable turns the answer for an object that wants nothing into one for a custom resource that clients cannot read in another
// version than the stored one. Without that, the webhook failed to convert what a client wanted to write.
func (i *Instant) unreadable(a *Answer) bool {
	stored, ok := i.object(a.Object).(*unstructured.Unstructured)
	if a.Verdict != Content || !ok {
		return false
	}
	for _, call := range a.Webhooks {
		w := i.rec.Record(call.Record).Webhook
		if w.Operation != review.Convert || w.Allowed || w.Version == stored.GetAPIVersion() {
			continue
		}
		a.Verdict, a.Lacks = Held, "it cannot be read as "+w.Version
		a.Holds = append(a.Holds, "webhook "+w.Hook+" does not convert it from "+stored.GetAPIVersion())
		return true
	}
	return false
}

// refusedBy says which webhook refused a request; empty if none did.
func (i *Instant) refusedBy(r *trace.Request) string {
	for _, seq := range slices.Backward(r.Webhooks) {
		if w := i.rec.Record(seq).Webhook; !w.Allowed {
			return " (webhook " + w.Hook + ", " + w.Text() + ")"
		}
	}
	return ""
}

// uncreated says which webhook refused the last request to create an object, and when; empty if none did.
func (i *Instant) uncreated(o trace.Object) string {
	for _, call := range slices.Backward(i.calls(o)) {
		if call.Refused {
			return fmt.Sprintf("webhook %s refused it at %s, record %d: %s", call.Hook, trace.Seconds(call.At), call.Record, call.Text)
		}
	}
	return ""
}

// noteCall notes a call of a webhook, or the calls that a request made.
func (h *History) noteCall(record *trace.Record) {
	if w := record.Webhook; w != nil {
		o := trace.Object{Resource: w.Resource, Namespace: w.Namespace, Name: w.Name}
		h.called[o] = append(h.called[o], record.Seq)
		return
	}
	for _, call := range record.Request.Webhooks {
		h.calledBy[call] = record.Seq
	}
}
