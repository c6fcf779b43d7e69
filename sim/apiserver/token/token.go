// Package token finds the user of a request over HTTP from its bearer token, with upstream's authenticators of the tokens
// of service accounts (k8s.io/kubernetes/pkg/serviceaccount).
package token

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/token/union"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/serviceaccount"

	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
)

// Options say which bearer tokens of service accounts a server accepts.
type Options struct {
	// Keys are the public keys that verify tokens, as --service-account-key-file.
	Keys []any
	// Issuers are those of tokens that are bound to objects, as --service-account-issuer. The issuer of tokens in Secrets
	// is always accepted.
	Issuers []string
	// Audiences are those of the API server, as --api-audiences.
	Audiences []string
	// Generator issues the tokens of TokenRequests, as --service-account-signing-key-file; without it, there are none.
	Generator serviceaccount.TokenGenerator
	// MaxExpiration is how long a token of a TokenRequest lives at most, as --service-account-max-token-expiration; 0 means no limit.
	MaxExpiration time.Duration
	// KeysURI is where others find the keys, as --service-account-jwks-uri; empty means at the API server.
	KeysURI string
	// NotesUse makes the server say since when it notes in Secrets that their tokens are in use, as upstream's controller
	// legacytokentracking does.
	NotesUse bool
}

// Request implements authenticator.Request: the user of a request is that of its bearer token, or else the one in its
// context.
type Request struct {
	create func() (authenticator.Request, error)
}

// New makes an authenticator. Upstream's are made when a request has a token, since the caches that they read from exist
// when the server does. client is the server's own. Where writes is false, it is not noted in a Secret that its token is
// in use.
func New(client kubernetes.Interface, caches *storecache.Factory, accepted Options, writes bool) *Request {
	return &Request{sync.OnceValues(func() (authenticator.Request, error) {
		getter := newGetter(client, caches)
		keys, err := serviceaccount.StaticPublicKeysGetter(accepted.Keys)
		if err != nil {
			return nil, fmt.Errorf("keys of tokens: %w", err)
		}
		var secrets coreclient.SecretsGetter = client.CoreV1()
		if !writes {
			secrets = untouched{}
		}
		const lookup = true
		legacy, err := serviceaccount.NewLegacyValidator(lookup, getter, secrets)
		if err != nil {
			return nil, err
		}
		tokens := []authenticator.Token{serviceaccount.JWTTokenAuthenticator(
			[]string{serviceaccount.LegacyIssuer}, keys, accepted.Audiences, legacy)}
		if len(accepted.Issuers) > 0 {
			tokens = append(tokens, serviceaccount.JWTTokenAuthenticator(
				accepted.Issuers, keys, accepted.Audiences, serviceaccount.NewValidator(getter)))
		}
		return group.NewAuthenticatedGroupAdder(bearertoken.New(union.New(tokens...))), nil
	})}
}

// AuthenticateRequest implements authenticator.Request.
func (a *Request) AuthenticateRequest(r *http.Request) (*authenticator.Response, bool, error) {
	if r.Header.Get("Authorization") == "" {
		who, known := genericrequest.UserFrom(r.Context())
		return &authenticator.Response{User: who}, known, nil
	}
	tokens, err := a.create()
	if err != nil {
		return nil, false, err
	}
	return tokens.AuthenticateRequest(r)
}

// untouched leaves Secrets as they are.
type untouched struct{ coreclient.SecretInterface }

// Secrets implements coreclient.SecretsGetter.
func (u untouched) Secrets(string) coreclient.SecretInterface { return u }

// Patch implements coreclient.SecretInterface.
func (untouched) Patch(
	context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string,
) (*corev1.Secret, error) {
	return &corev1.Secret{}, nil
}
