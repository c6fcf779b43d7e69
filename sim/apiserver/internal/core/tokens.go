package core

import (
	"time"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/serviceaccount"

	nodestore "k8s.io/kubernetes/pkg/registry/core/node/storage"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"
)

// Tokens is how tokens of service accounts are issued. Where Generator is nil, they are not.
type Tokens struct {
	Generator serviceaccount.TokenGenerator
	Audiences authenticator.Audiences
	// MaxExpiration is how long a token lives at most; 0 means no limit.
	MaxExpiration time.Duration
	// Client reads the objects that a token may be bound to and that are in other groups.
	Client kubernetes.Interface
}

// The defaults of kube-apiserver: with --service-account-extend-token-expiration the token of a Pod lives for a year
// (ServiceAccountAuthenticationOptions in k8s.io/kubernetes/pkg/kubeapiserver/options).
const (
	extended  = true
	extension = serviceaccount.ExpirationExtensionSeconds * time.Second
)

// add replaces the storage of service accounts by one that issues tokens, as corerest.New does for that of GenericConfig.
func (t *Tokens) add(storages map[string]rest.Storage, options generic.RESTOptionsGetter, allow authorizer.Authorizer) error {
	if t.Generator == nil {
		return nil
	}
	pods, secrets := storages["pods"].(*podstore.REST).Store, storages["secrets"].(rest.Getter)
	accounts, err := t.newAccounts(options, allow, pods, secrets, storages["nodes"].(*nodestore.REST).Store)
	if err != nil {
		return err
	}
	storages["serviceaccounts"], storages["serviceaccounts/token"] = accounts, accounts.Token
	return nil
}
