package apiserver

import (
	"context"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"

	"github.com/kubestep/kubestep/sim/apiserver/authorization"
)

// userOf is the user that sends a request. Who is not known otherwise is an administrator if the server asks for roles:
// the server itself, kubectl, and what stands for a component. Where every request is allowed, everybody but the
// server has the name of the actor, and is in no group.
func (s *Server) userOf(req Request) user.Info {
	switch {
	case req.User != nil:
		return req.User
	case s.mode != authorization.RBAC && req.Actor != Self:
		return &user.DefaultInfo{Name: req.Actor}
	default:
		return &user.DefaultInfo{Name: req.Actor, Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}}
	}
}

// authorize refuses what the user of a request may not do. ctx is that of the request.
func (s *Server) authorize(ctx context.Context) error {
	if s.mode != authorization.RBAC {
		return nil
	}
	attributes, err := filters.GetAuthorizerAttributes(ctx)
	if err != nil {
		return err
	}
	decision, reason, err := s.authorizer.Authorize(ctx, attributes)
	if decision == authorizer.DecisionAllow {
		return nil
	}
	if err != nil {
		return err
	}
	return responsewriters.ForbiddenStatusError(attributes, reason)
}
