//go:build kubernetes_before_1_37

package authorization

import (
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/union"
)

// inTurn asks the authorizer of a privileged group, then that of nodes, and then that of roles.
func inTurn(masters, nodes, roles authorizer.Authorizer) authorizer.Authorizer {
	return union.New(masters, nodes, roles)
}
