package apiserver

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/union"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"

	"github.com/kubestep/kubestep/sim/apiserver/storecache"
)

// The modes of authorization that a Server knows, as in kube-apiserver's --authorization-mode.
const (
	AlwaysAllow = "AlwaysAllow"
	RBAC        = "RBAC"
)

// AuthorizationModes lists the modes.
func AuthorizationModes() []string { return []string{AlwaysAllow, RBAC} }

// authorization decides what a user may do, and lists it when asked for the rules.
type authorization interface {
	authorizer.Authorizer
	authorizer.RuleResolver
}

// newAuthorization makes the authorizer of a mode.
func newAuthorization(mode string, caches *storecache.Factory) (authorization, error) {
	switch mode {
	case "", AlwaysAllow:
		return authorizerfactory.NewAlwaysAllowAuthorizer(), nil
	case RBAC:
		return &roleBased{create: sync.OnceValue(func() authorization { return newRoleBased(caches) })}, nil
	}
	return nil, fmt.Errorf("unknown authorization mode %q", mode)
}

// roleBased is upstream's authorizer of roles and bindings. It is made when it is first asked: the registries need it
// before there are caches of them.
type roleBased struct{ create func() authorization }

// Authorize implements authorizer.Authorizer.
func (r *roleBased) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	return r.create().Authorize(ctx, a)
}

// RulesFor implements authorizer.RuleResolver.
func (r *roleBased) RulesFor(ctx context.Context, u user.Info, namespace string) (
	[]authorizer.ResourceRuleInfo, []authorizer.NonResourceRuleInfo, bool, error,
) {
	return r.create().RulesFor(ctx, u, namespace)
}

// both asks several authorizers for a decision, and for the rules those that know them.
type both struct {
	authorizer.Authorizer
	authorizer.RuleResolver
}

// newRoleBased allows everything to the group system:masters, as kube-apiserver does before it asks an authorizer.
func newRoleBased(caches *storecache.Factory) authorization {
	stored := caches.Rbac().V1()
	roles := rbac.New(
		&rbac.RoleGetter{Lister: stored.Roles().Lister()},
		&rbac.RoleBindingLister{Lister: stored.RoleBindings().Lister()},
		&rbac.ClusterRoleGetter{Lister: stored.ClusterRoles().Lister()},
		&rbac.ClusterRoleBindingLister{Lister: stored.ClusterRoleBindings().Lister()},
	)
	masters := authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup)
	return both{union.New(masters, roles), union.NewRuleResolvers(roles)}
}

// userOf is the user that sends a request. Who is not known otherwise is an administrator if the server asks for roles:
// the server itself, kubectl, and what stands for a component. Where every request is allowed, everybody but the
// server has the name of the actor, and is in no group.
func (s *Server) userOf(req Request) user.Info {
	switch {
	case req.User != nil:
		return req.User
	case s.mode != RBAC && req.Actor != Self:
		return &user.DefaultInfo{Name: req.Actor}
	default:
		return &user.DefaultInfo{Name: req.Actor, Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}}
	}
}

// authorize refuses what the user of a request may not do. ctx is that of the request.
func (s *Server) authorize(ctx context.Context) error {
	if s.mode != RBAC {
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
