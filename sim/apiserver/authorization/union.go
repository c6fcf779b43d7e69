//go:build !kubernetes_before_1_37

package authorization

import (
	"context"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/union"
)

// inTurn asks the authorizer of a privileged group, then that of nodes, and then that of roles. The names are those of kube-apiserver
// (pkg/kubeapiserver/authorizer), which the reasons of its decisions begin with.
func inTurn(masters, nodes, roles authorizer.Authorizer) authorizer.Authorizer {
	all, err := union.New(
		union.NamedAuthorizer{AuthorizerName: "kubernetes.io/system-privileged-group", Authorizer: masters},
		union.NamedAuthorizer{AuthorizerName: "node", Authorizer: nodes},
		union.NamedAuthorizer{AuthorizerName: "rbac", Authorizer: roles},
	)
	if err != nil {
		panic(err) // authorizers with one name
	}
	return all
}

// ConditionsAwareAuthorize implements authorizer.Authorizer.
func (r *roleBased) ConditionsAwareAuthorize(ctx context.Context, a authorizer.Attributes) authorizer.ConditionsAwareDecision {
	return r.create().ConditionsAwareAuthorize(ctx, a)
}

// EvaluateConditions implements authorizer.Authorizer.
func (r *roleBased) EvaluateConditions(
	ctx context.Context, decision authorizer.ConditionsAwareDecision, data authorizer.ConditionsData,
) (authorizer.Decision, string, error) {
	return r.create().EvaluateConditions(ctx, decision, data)
}
