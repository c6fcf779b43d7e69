package apiserver

import (
	"context"
	"slices"

	"k8s.io/apiserver/pkg/authentication/user"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim/apiserver/internal/fairness"
)

// Fairness is API Priority and Fairness, which decides when a request is executed.
type Fairness struct {
	server *Server
	filter *fairness.Filter
}

// Verdict is what Fairness has decided about a request.
type Verdict = fairness.Verdict

// NewFairness creates upstream's filter, for a server that executes so many requests at the same time (the sum of --max-requests-inflight
// and --max-mutating-requests-inflight). The client writes the status of FlowSchemas.
func (s *Server) NewFairness(client kubernetes.Interface, concurrency int) *Fairness {
	return &Fairness{s, fairness.New(s.caches, client, concurrency)}
}

// Run keeps the filter up to date with the FlowSchemas and PriorityLevelConfigurations in the store until the context ends.
func (f *Fairness) Run(ctx context.Context) { f.filter.Run(ctx) }

// Serve calls execute when it is the turn of a request, or refuses the request. It waits on the calling goroutine.
func (f *Fairness) Serve(ctx context.Context, req Request, execute func()) Verdict {
	info := &genericrequest.RequestInfo{
		IsResourceRequest: true, Path: urlPath(req), Verb: req.Verb, APIPrefix: "apis", Namespace: req.Namespace, Name: req.Name,
		APIGroup: req.Resource.Group, APIVersion: req.Resource.Version, Resource: req.Resource.Resource, Subresource: req.Subresource,
	}
	if req.Resource.Group == "" {
		info.APIPrefix = "api"
	}
	return f.filter.Serve(ctx, info, classified(req), execute)
}

// classified is the user that FlowSchemas ask for. Who is not identified is an administrator, whatever the mode of authorization. An
// authenticator adds the group of all whom it knows.
func classified(req Request) user.Info {
	who := req.User
	if who == nil {
		who = &user.DefaultInfo{Name: req.Actor, Groups: []string{user.SystemPrivilegedGroup}}
	}
	if slices.Contains(who.GetGroups(), user.AllAuthenticated) || slices.Contains(who.GetGroups(), user.AllUnauthenticated) {
		return who
	}
	return &user.DefaultInfo{
		Name: who.GetName(), UID: who.GetUID(), Extra: who.GetExtra(), Groups: append(slices.Clone(who.GetGroups()), user.AllAuthenticated),
	}
}
