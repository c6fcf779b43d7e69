package network

import (
	"io"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/apiserver/webhook"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// subject describes the call to the rules. Its actor is the process that serves the webhook.
func (w *webhookCall) subject() fault.Subject {
	record := w.record()
	resource, group := splitResource(record.Resource)
	subject := fault.Subject{
		Verb: record.Operation, Webhook: record.Hook, Resource: resource, Group: group, Subresource: record.Subresource,
		Namespace: record.Namespace, Name: record.Name, Object: func() runtime.Object { return w.x.request.Object },
	}
	if w.question.Object != nil {
		subject.Object = func() runtime.Object { return w.question.Object }
	}
	if w.server != nil {
		subject.Actor = w.server.Actor
	}
	return subject
}

func (w *webhookCall) recordFault(rule *fault.Rule) int64 {
	record := w.record()
	return w.network.Recorder.Emit(&trace.Record{
		Kind: trace.KindFault, Actor: w.subject().Actor, Cause: w.x.call.cause(),
		Fault: &trace.Fault{
			Rule: rule.Name, Effect: rule.Effect.String(), Verb: strings.ToLower(record.Operation), Subresource: record.Subresource,
			Object: trace.Object{Resource: record.Resource, Namespace: record.Namespace, Name: record.Name},
		},
	})
}

// fails is what the API server gets if nobody is asked.
func (w *webhookCall) fails() (response *http.Response, err error, fails bool) {
	if w.rule == nil || w.server == nil {
		return nil, webhook.Refused(w.http.URL.Host), true
	}
	switch effect := w.rule.Effect; {
	case effect.Crash:
		if w.network.faults.crash != nil {
			w.network.faults.crash(w.server.Actor, w.rule, w.faultSeq)
		}
		return nil, io.EOF, true
	case effect.AfterCommit:
		return nil, nil, false
	case effect.Disconnect:
		return nil, webhook.Refused(w.http.URL.Host), true
	case effect.Refuses():
		return w.status(), nil, true
	}
	return nil, nil, false
}

// lost replaces the answer of a webhook if a fault loses it.
func (w *webhookCall) lost(response *http.Response, err error) (*http.Response, error) {
	switch {
	case w.rule == nil || err != nil:
		return response, err
	case w.rule.Effect.Disconnect:
		return nil, io.EOF
	case w.rule.Effect.Refuses():
		return w.status(), nil
	}
	return response, err
}

// status is an answer with the status code of a fault, as a proxy before the webhook gives it.
func (w *webhookCall) status() *http.Response {
	code := w.rule.Effect.Code
	return &http.Response{
		StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"text/plain"}},
		Body: io.NopCloser(strings.NewReader("an injected fault (" + w.rule.Name + ")")),
	}
}
