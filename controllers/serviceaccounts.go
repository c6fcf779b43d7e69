package controllers

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	serviceaccountcontroller "k8s.io/kubernetes/pkg/controller/serviceaccount"
	"k8s.io/kubernetes/pkg/serviceaccount"

	"github.com/kubestep/kubestep/sim/apiserver/keys"
)

var errKeyFiles = errors.New("files of keys and certificates cannot be set: a simulation makes its own from the seed")

// newTokenController builds serviceaccount-token-controller, which fills the Secrets of service accounts' tokens.
// Upstream's descriptor for it (newServiceAccountTokenController in
// cmd/kube-controller-manager/app/service_accounts.go) is of no use: it reads the key from a file, and in
// NewControllerDescriptors it lacks the root client builder, which only Run puts in. The controller is upstream's
// anyway, and so is the generator of its tokens.
func (m *manager) newTokenController(ctx context.Context, c app.ControllerContext) (hosted, error) {
	if sa := c.ComponentConfig.SAController; sa.ServiceAccountKeyFile != "" || sa.RootCAFile != "" {
		return nil, errKeyFiles
	}
	signer, err := keys.NewTokenSigner(m.sim.FirstSeed())
	if err != nil {
		return nil, err
	}
	generator, err := serviceaccount.JWTTokenGenerator(serviceaccount.LegacyIssuer, signer)
	if err != nil {
		return nil, fmt.Errorf("failed to build token generator: %w", err)
	}
	// All clients of the simulation have full power, as those of upstream's root client builder.
	client, err := c.ClientBuilder.Client(tokenClient)
	if err != nil {
		return nil, err
	}
	config, err := c.ClientBuilder.Config(tokenClient)
	if err != nil {
		return nil, err
	}
	core := c.InformerFactory.Core().V1()
	tokens, err := serviceaccountcontroller.NewTokensController(klog.FromContext(ctx), core.ServiceAccounts(), core.Secrets(),
		client, serviceaccountcontroller.TokensControllerOptions{TokenGenerator: generator, RootCA: config.CAData})
	if err != nil {
		return nil, fmt.Errorf("error creating Tokens controller: %w", err)
	}
	workers := int(c.ComponentConfig.SAController.ConcurrentSATokenSyncs)
	return loop{names.ServiceAccountTokenController, func(ctx context.Context) { tokens.Run(ctx, workers) }}, nil
}
