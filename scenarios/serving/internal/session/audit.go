package session

import (
	"bytes"
	cryptorand "crypto/rand"
	"encoding/json"
	"io"
	"sync"

	"github.com/google/uuid"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
)

// auditor writes an audit log as kube-apiserver does: with the level RequestResponse for writes, and Metadata for reads. Watches
// have no Events. The times are those of the simulation.
type auditor struct {
	mu  sync.Mutex
	out io.Writer
	err error
}

// Audit makes the session write an audit log. It must be called before the first request.
func (s *Session) Audit(out io.Writer) { s.auditor = &auditor{out: out} }

// AuditError is the first error of writing the audit log.
func (s *Session) AuditError() error {
	if s.auditor == nil {
		return nil
	}
	s.auditor.mu.Lock()
	defer s.auditor.mu.Unlock()
	return s.auditor.err
}

// codecs decode bodies that are not JSON.
var codecs = serializer.NewCodecFactory(scheme.Scheme)

// write writes the Event of a request that has its response.
func (a *auditor) write(e *exchange) {
	data, err := json.Marshal(e.audited())
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		_, err = a.out.Write(append(data, '\n'))
	}
	if a.err == nil {
		a.err = err
	}
}

// audited is the Event of a request.
func (e *exchange) audited() *auditv1.Event {
	received, ended := e.received, e.received
	if e.input != nil {
		received = e.session.zero.Add(e.input.step.At.Duration)
		now, _ := e.session.Door.Now()
		ended = e.session.zero.Add(now)
	}
	event := &auditv1.Event{
		TypeMeta: metav1.TypeMeta{Kind: "Event", APIVersion: auditv1.SchemeGroupVersion.String()},
		Level:    auditv1.LevelMetadata, AuditID: auditID(), Stage: auditv1.StageResponseComplete,
		RequestURI: e.request.URL.RequestURI(), Verb: e.wire.Verb, UserAgent: e.request.UserAgent(),
		User: authenticationv1.UserInfo{Username: verb.User}, SourceIPs: []string{"127.0.0.1"},
		ObjectRef: &auditv1.ObjectReference{
			Resource: e.wire.Resource.Resource, APIGroup: e.wire.Resource.Group, APIVersion: e.wire.Resource.Version,
			Namespace: e.wire.Namespace, Name: e.wire.Name, Subresource: e.wire.Subresource,
		},
		ResponseStatus:           &metav1.Status{Code: int32(e.response.StatusCode)},
		RequestReceivedTimestamp: metav1.NewMicroTime(received), StageTimestamp: metav1.NewMicroTime(ended),
	}
	if as := e.request.Header.Get("Impersonate-User"); as != "" {
		event.ImpersonatedUser = &authenticationv1.UserInfo{Username: as}
	}
	if network.Changes(e.wire) {
		event.Level = auditv1.LevelRequestResponse
		response := apiserver.Body(e.response)
		e.response.Body = io.NopCloser(bytes.NewReader(response))
		event.RequestObject, event.ResponseObject = inJSON(e.wire.Body()), inJSON(response)
	}
	return event
}

// auditID is a new id. It is none of those that the simulation gives its objects: uuid.New would take one of them.
func auditID() types.UID {
	id, err := uuid.NewRandomFromReader(cryptorand.Reader)
	if err != nil {
		panic("session: crypto/rand: " + err.Error())
	}
	return types.UID(id.String())
}

// inJSON is a body as an audit log has it, nil if it cannot be read.
func inJSON(body []byte) *runtime.Unknown {
	if len(body) == 0 {
		return nil
	}
	if !json.Valid(body) {
		object, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
		if err != nil {
			return nil
		}
		if body, err = json.Marshal(object); err != nil {
			return nil
		}
	}
	return &runtime.Unknown{Raw: body, ContentType: runtime.ContentTypeJSON}
}
