//go:build !kubernetes_before_1_37

package core

import (
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	accountstore "k8s.io/kubernetes/pkg/registry/core/serviceaccount/storage"
)

// newAccounts makes the storage of service accounts, with one for their tokens. Since 1.37 tokens may be bound to
// configurations of webhooks.
func (t *Tokens) newAccounts(options generic.RESTOptionsGetter, allow authorizer.Authorizer, pods, secrets, nodes rest.Getter,
) (*accountstore.REST, error) {
	webhooks := t.Client.AdmissionregistrationV1()
	return accountstore.NewREST(options, t.Generator, t.Audiences, allow, t.MaxExpiration, pods, secrets, nodes,
		webhooks.ValidatingWebhookConfigurations(), webhooks.MutatingWebhookConfigurations(), extended, extension)
}
