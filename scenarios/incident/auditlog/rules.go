package auditlog

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// Sentences for what is omitted.
const (
	reads      = "requests that change nothing"
	dryRuns    = "dry runs"
	ofSystem   = "requests of the system, which the simulation sends itself"
	refused    = "requests that the API server refused"
	unfinished = "requests without a response, as the log ends before it"
	bodiless   = "requests whose body the log does not have"
	truncated  = "requests whose body is truncated in the log"
	running    = "requests for running containers, which the simulation does not have"
	binding    = "bindings of Pods to nodes, which the scheduler of the simulation makes"
	tokens     = "tokens, which change no object"
	volatile   = "Events and Leases, which the simulation writes itself"
	elsewhere  = "requests for other namespaces"
	notServed  = "requests for kinds that are not simulated"
	early      = "requests before the scenario starts, whose results it starts with"
	outside    = "requests outside of --since and --until"
	absent     = "requests for objects that are neither in the dump nor created by a request"
	nothing    = "requests that no step can make"
	ofServer   = "requests about nothing but uids and resourceVersions"
	asOthers   = "impersonation, as the user of the scenario may do everything"
)

// writes are the verbs of requests that change something, with their methods.
var writes = map[string]string{
	"create": http.MethodPost, "update": http.MethodPut, "patch": http.MethodPatch, "delete": http.MethodDelete,
	"deletecollection": http.MethodDelete,
}

// inContainers are the subresources that reach into running containers.
var inContainers = []string{"exec", "attach", "portforward", "proxy", "log"}

// omit returns the sentence for a request that is not taken, and the word under which it is counted; empty if it may be taken.
func omit(e *auditv1.Event) (why, what string) {
	user, resource := userOf(e), resourceOf(e)
	query := url.Values{}
	if address, err := url.ParseRequestURI(e.RequestURI); err == nil {
		query = address.Query()
	}
	subresource := ""
	if e.ObjectRef != nil {
		subresource = e.ObjectRef.Subresource
	}
	switch {
	case slices.Contains(inContainers, subresource):
		return running, subresource
	case writes[e.Verb] == "" || e.ObjectRef == nil:
		return reads, e.Verb
	case isQuestion(e.ObjectRef.APIGroup):
		return reads, e.Verb + " of " + resource
	case isSystem(e.User.Username): // a person may impersonate a controller
		return ofSystem, user
	case e.Stage == auditv1.StagePanic || e.ResponseStatus == nil || e.ResponseStatus.Code >= http.StatusBadRequest:
		return refused, code(e)
	case len(query["dryRun"]) > 0:
		return dryRuns, resource
	case subresource == "binding" || e.ObjectRef.Resource == "bindings":
		return binding, user
	case subresource == "token":
		return tokens, resource
	case e.ObjectRef.Resource == "events" || e.ObjectRef.Resource == "leases":
		return volatile, resource
	case e.Annotations["audit.k8s.io/truncated"] == "true":
		return truncated, resource
	case e.RequestObject == nil && !needsNoBody(e):
		return bodiless, resource
	}
	return "", ""
}

// needsNoBody reports whether a request can be taken without its body: it had none, or the path says all that matters. The deletion
// of an object with dependents has options that do.
func needsNoBody(e *auditv1.Event) bool {
	ofPod := e.ObjectRef.Resource == "pods" && (e.Verb == "delete" || e.ObjectRef.Subresource == "eviction")
	return ofPod || writes[e.Verb] == http.MethodDelete && e.Level != auditv1.LevelMetadata
}

// isQuestion reports whether the resources of a group are questions in the form of objects.
func isQuestion(group string) bool {
	return group == "authorization.k8s.io" || group == "authentication.k8s.io"
}

// isSystem reports whether a user is a part of Kubernetes. The service accounts of other namespaces are those of programs that the
// simulation does not have, and system:admin is the name of a person in some distributions.
func isSystem(user string) bool {
	const accounts = "system:serviceaccount:"
	switch {
	case strings.HasPrefix(user, accounts):
		return strings.HasPrefix(user, accounts+"kube-system:")
	case strings.HasPrefix(user, "eks:"):
		return true
	}
	return strings.HasPrefix(user, "system:") && user != "system:admin"
}

// userOf is the user who made a request: jane, or, if the request impersonates somebody, jane as eve.
func userOf(e *auditv1.Event) string {
	if e.ImpersonatedUser != nil {
		return e.User.Username + " as " + e.ImpersonatedUser.Username
	}
	return e.User.Username
}

// resourceOf is the resource of a request, as kubectl writes it: deployments.apps/scale.
func resourceOf(e *auditv1.Event) string {
	if e.ObjectRef == nil {
		return e.RequestURI
	}
	name := e.ObjectRef.Resource
	if e.ObjectRef.APIGroup != "" {
		name += "." + e.ObjectRef.APIGroup
	}
	if e.ObjectRef.Subresource != "" {
		name += "/" + e.ObjectRef.Subresource
	}
	return name
}

// code is the code of a response with its reason.
func code(e *auditv1.Event) string {
	switch {
	case e.ResponseStatus == nil || e.ResponseStatus.Code == 0:
		return "a failure of the server"
	case e.ResponseStatus.Reason != "":
		return fmt.Sprintf("%d %s", e.ResponseStatus.Code, e.ResponseStatus.Reason)
	}
	return fmt.Sprintf("%d %s", e.ResponseStatus.Code, http.StatusText(int(e.ResponseStatus.Code)))
}

// clientOf is the program that sent a request, by its user agent: kubectl, helm.
func clientOf(e *auditv1.Event) string {
	name, _, _ := strings.Cut(e.UserAgent, "/")
	return strings.ToLower(name)
}
