package server

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/uuid"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/controlplane"
	"k8s.io/kubernetes/pkg/serviceaccount"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// outside is the user of requests that the clients of a test send: who that is, the server finds out, from the credentials of the
// request. Those of other actors come from components inside of the simulation, which have no credentials.
type outside struct{ user.DefaultInfo }

// client is the user that the trace shows for the clients of a test: the one that a kube-apiserver has of itself.
func client() user.Info {
	return &outside{user.DefaultInfo{Name: user.APIServerUser, Groups: []string{user.AllAuthenticated, user.SystemPrivilegedGroup}}}
}

// access is who sends the requests of a test, and what they may do: upstream's own authenticators and authorizers, as its options
// configure them, or those of the test. Upstream makes them from informers, which exist when the server does.
type access struct {
	authenticator struct{ authenticator.Request }
	authorizer    struct{ authorizer.Authorizer }
	rules         struct{ authorizer.RuleResolver }
	// final is what the test has made of the authenticator.
	final authenticator.Request
}

// AuthenticateRequest implements authenticator.Request.
func (a *access) AuthenticateRequest(r *http.Request) (*authenticator.Response, bool, error) {
	who, known := genericrequest.UserFrom(r.Context())
	if _, isOutside := who.(*outside); known && !isOutside {
		return &authenticator.Response{User: who}, true, nil
	}
	return a.final.AuthenticateRequest(r)
}

// completeAccess does to the options what upstream's Complete does, as far as it is about users.
func completeAccess(opts *options.ServerRunOptions) error {
	opts.Authorization.Complete()
	opts.Authentication.ApplyAuthorization(opts.Authorization)
	accounts := opts.Authentication.ServiceAccounts
	if len(accounts.Issuers) == 0 || accounts.Issuers[0] == "" || opts.ServiceAccountSigningKeyFile == "" {
		return nil
	}
	key, err := keyutil.PrivateKeyFromFile(opts.ServiceAccountSigningKeyFile)
	if err != nil {
		return fmt.Errorf("key of tokens: %w", err)
	}
	opts.ServiceAccountIssuer, err = serviceaccount.JWTTokenGenerator(accounts.Issuers[0], key)
	if len(opts.Authentication.APIAudiences) == 0 {
		opts.Authentication.APIAudiences = accounts.Issuers
	}
	return err
}

// configure puts the authenticator and the authorizer of the options into the configuration of a server, which the test may change.
func (a *access) configure(opts *options.ServerRunOptions, config *controlplane.Config) error {
	generic := config.ControlPlane.Generic
	generic.Authentication.Authenticator, generic.Authentication.APIAudiences = &a.authenticator, opts.Authentication.APIAudiences
	generic.Authorization.Authorizer, generic.RuleResolver = &a.authorizer, &a.rules
	generic.LoopbackClientConfig = &rest.Config{BearerToken: uuid.NewString()}
	config.ControlPlane.Extra.ServiceAccountIssuer = opts.ServiceAccountIssuer
	config.ControlPlane.Extra.ServiceAccountMaxExpiration = opts.Authentication.ServiceAccounts.MaxExpiration
	return opts.Audit.ApplyTo(generic)
}

// of reads what the test has left in the configuration.
func (a *access) of(opts *options.ServerRunOptions, config *controlplane.Config) *apiserver.Access {
	generic := config.ControlPlane.Generic
	// Upstream does this when it makes a server.
	genericapiserver.AuthorizeClientBearerToken(generic.LoopbackClientConfig, &generic.Authentication, &generic.Authorization)
	a.final = generic.Authentication.Authenticator
	out := &apiserver.Access{
		Authenticator: a, Authorizer: generic.Authorization.Authorizer, Rules: generic.RuleResolver,
		Connect: func(inside kubernetes.Interface, caches informers.SharedInformerFactory) error {
			return a.connect(opts, generic, inside, caches)
		},
	}
	if generic.AuditBackend != nil {
		out.Audit, out.AuditPolicy = generic.AuditBackend, generic.AuditPolicyRuleEvaluator
	}
	return out
}

// connect makes the authenticator and the authorizer of the options.
func (a *access) connect(
	opts *options.ServerRunOptions, generic *genericapiserver.Config, inside kubernetes.Interface, caches informers.SharedInformerFactory,
) error {
	reading := context.Background()
	if file := opts.Authentication.AuthenticationConfigFile; file != "" {
		// Upstream would watch the file until the context ends.
		note("%s is not read again", file)
		ended, end := context.WithCancel(reading)
		end()
		reading = ended
	}
	own := &genericapiserver.AuthenticationInfo{}
	err := opts.Authentication.ApplyTo(reading, own, nil, nil, generic.OpenAPIConfig, generic.OpenAPIV3Config, inside, caches, "")
	if err != nil {
		return fmt.Errorf("authentication: %w", err)
	}
	a.authenticator.Request = own.Authenticator
	authorization, err := opts.Authorization.ToAuthorizationConfig(caches)
	if err != nil {
		return fmt.Errorf("authorization: %w", err)
	}
	if authorization.ReloadFile != "" {
		note("%s is not read again", authorization.ReloadFile)
		authorization.ReloadFile = ""
	}
	a.authorizer.Authorizer, a.rules.RuleResolver, err = authorization.New(context.Background(), "")
	if err != nil {
		return fmt.Errorf("authorization: %w", err)
	}
	if backend := generic.AuditBackend; backend != nil {
		return backend.Run(context.Background().Done())
	}
	return nil
}
