package apiserver

import (
	"net/http"

	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim/apiserver/authorization"
)

// Access decides who sends a request over HTTP and what they may do, as upstream's own options of kube-apiserver configure it
// (BuildGenericConfig in k8s.io/kubernetes/pkg/controlplane/apiserver).
type Access struct {
	// Authenticator finds the user of a request, also of one for a document. The context of the request has the user that
	// the simulation knows (Request.User). It is asked in place of Options.Tokens.
	Authenticator authenticator.Request
	// Authorizer decides what users may do, in place of that of Options.Authorization. Rules are what it can list; nil means those of
	// Options.Authorization.
	Authorizer authorizer.Authorizer
	Rules      authorizer.RuleResolver
	// Audit receives an event for each stage of a request that AuditPolicy asks for. Both are nil without an audit log.
	Audit       audit.Sink
	AuditPolicy audit.PolicyRuleEvaluator
	// Connect, if set, is called when the server has been made, with the client and the informers of what runs inside of it.
	Connect func(kubernetes.Interface, informers.SharedInformerFactory) error
}

// over is the authorizer of a server with this access. ofMode is that of Options.Authorization.
func (a *Access) over(ofMode authorization.Authorizer) authorization.Authorizer {
	if a == nil || a.Authorizer == nil {
		return ofMode
	}
	if a.Rules == nil {
		return authorization.Both{Authorizer: a.Authorizer, RuleResolver: ofMode}
	}
	return authorization.Both{Authorizer: a.Authorizer, RuleResolver: a.Rules}
}

// connect hands over the client and the informers of a server.
func (a *Access) connect(s *Server) error {
	if a == nil || a.Connect == nil {
		return nil
	}
	return a.Connect(NewClientset(direct{s, Self}, nil), s.caches)
}

// authenticator finds the user of a request over HTTP. It is nil if that is always the one that the simulation knows. writes is that
// of token.New.
func (s *Server) authenticator(writes bool) authenticator.Request {
	switch {
	case s.access != nil && s.access.Authenticator != nil:
		return s.access.Authenticator
	case s.tokens != nil:
		return s.authentication(writes)
	}
	return nil
}

// audiences are those of the API server.
func (s *Server) audiences() authenticator.Audiences {
	if s.tokens == nil {
		return nil
	}
	return s.tokens.Audiences
}

// ChecksDocuments reports whether requests for documents are for some users only.
func (s *Server) ChecksDocuments() bool { return s.access != nil && s.access.Authenticator != nil }

// AuthorizeDocument asks upstream's filters whether the user of a request for a document may have it. The response is nil if so.
func (h *HTTP) AuthorizeDocument(r *http.Request, as Request) (*http.Response, error) {
	if !h.server.ChecksDocuments() {
		return nil, nil
	}
	response, err := call(h.filters, r, h.server.userOf(as), r.Header, nil)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	return nil, nil
}
