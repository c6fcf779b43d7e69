package keys

import (
	"fmt"

	"k8s.io/kubernetes/pkg/serviceaccount"

	"github.com/kubestep/kubestep/sim/apiserver/token"
)

// issuer is kubeadm's --service-account-issuer. It is the audience of tokens that do not name one, too.
const issuer = "https://kubernetes.default.svc.cluster.local"

// ServiceAccounts are the tokens of a cluster: kube-apiserver issues and accepts those that the key of the seed signs.
func ServiceAccounts(seed uint64) (*token.Options, error) {
	signer, err := NewTokenSigner(seed)
	if err != nil {
		return nil, err
	}
	generator, err := serviceaccount.JWTTokenGenerator(issuer, signer)
	if err != nil {
		return nil, fmt.Errorf("the issuer of tokens: %w", err)
	}
	return &token.Options{
		Keys: []any{signer.Public().Key}, Issuers: []string{issuer}, Audiences: []string{issuer}, Generator: generator,
	}, nil
}
