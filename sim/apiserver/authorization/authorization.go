// Package authorization decides which users may do what: everything, or what upstream's authorizer of roles and bindings allows.
package authorization

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/union"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"

	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
)

// The modes of authorization that a Server knows, as in kube-apiserver's --authorization-mode.
const (
	AlwaysAllow = "AlwaysAllow"
	RBAC        = "RBAC"
)

// Authorizer decides what a user may do, and lists it when asked for the rules.
type Authorizer interface {
	authorizer.Authorizer
	authorizer.RuleResolver
}

// New makes the authorizer of a mode.
func New(mode string, caches *storecache.Factory) (Authorizer, error) {
	switch mode {
	case "", AlwaysAllow:
		return authorizerfactory.NewAlwaysAllowAuthorizer(), nil
	case RBAC:
		return &roleBased{create: sync.OnceValue(func() Authorizer { return newRoleBased(caches) })}, nil
	}
	return nil, fmt.Errorf("unknown authorization mode %q", mode)
}

// roleBased is upstream's authorizer of roles and bindings. It is made when it is first asked: the registries need it
// before there are caches of them.
type roleBased struct{ create func() Authorizer }

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

// Both asks several authorizers for a decision, and for the rules those that know them.
type Both struct {
	authorizer.Authorizer
	authorizer.RuleResolver
}

// newRoleBased allows everything to the group system:masters, as kube-apiserver does before it asks an authorizer. What roles do not
// allow, the Node authorizer may, as with kube-apiserver's --authorization-mode=Node,RBAC.
func newRoleBased(caches *storecache.Factory) Authorizer {
	stored := caches.Rbac().V1()
	roles := rbac.New(
		&rbac.RoleGetter{Lister: stored.Roles().Lister()},
		&rbac.RoleBindingLister{Lister: stored.RoleBindings().Lister()},
		&rbac.ClusterRoleGetter{Lister: stored.ClusterRoles().Lister()},
		&rbac.ClusterRoleBindingLister{Lister: stored.ClusterRoleBindings().Lister()},
	)
	masters := authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup)
	return Both{inTurn(masters, nodes(caches), roles), union.NewRuleResolvers(roles)}
}
