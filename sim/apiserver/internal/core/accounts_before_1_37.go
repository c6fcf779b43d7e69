//go:build kubernetes_before_1_37

package core

import (
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	accountstore "k8s.io/kubernetes/pkg/registry/core/serviceaccount/storage"
)

// newAccounts makes the storage of service accounts, with one for their tokens.
func (t *Tokens) newAccounts(options generic.RESTOptionsGetter, _ authorizer.Authorizer, pods, secrets, nodes rest.Getter,
) (*accountstore.REST, error) {
	return accountstore.NewREST(options, t.Generator, t.Audiences, t.MaxExpiration, pods, secrets, nodes, extended, extension)
}
