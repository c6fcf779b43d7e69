package session

import (
	"context"
	"net/http"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/request/websocket"
	"k8s.io/apiserver/pkg/authentication/user"
)

// isIssued reports whether a request has a token that an API server may have issued: a JWT, which has three parts. That of the session
// has one.
func isIssued(r *http.Request) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && strings.Count(token, ".") == 2
}

// protocolToken puts the token of a WebSocket where the other clients have it. Browsers cannot set headers, so theirs have it among the
// protocols of the WebSocket.
func protocolToken(r *http.Request) error {
	if r.Header.Get("Authorization") != "" {
		return nil
	}
	put := func(_ context.Context, token string) (*authenticator.Response, bool, error) {
		r.Header.Set("Authorization", "Bearer "+token)
		return &authenticator.Response{}, true, nil
	}
	_, _, err := websocket.NewProtocolAuthenticator(authenticator.TokenFunc(put)).AuthenticateRequest(r)
	return err
}

// authenticate makes a request with the token of a service account one of the administrator who impersonates the account, so that a
// step of a file makes it without the token.
func (s *Session) authenticate(r *http.Request) error {
	var who user.Info
	var err error
	if gone := s.Door.Do(func() { who, err = s.outside.Authenticate(r) }); gone != nil {
		return ended(gone)
	}
	switch {
	case err != nil:
		return apierrors.NewUnauthorized("Unauthorized: " + err.Error())
	case r.Header.Get(authenticationv1.ImpersonateUserHeader) != "":
		return apierrors.NewBadRequest("kubestep does not impersonate for a service account")
	}
	r.Header.Set(authenticationv1.ImpersonateUserHeader, who.GetName())
	r.Header[authenticationv1.ImpersonateGroupHeader] = slices.DeleteFunc(slices.Clone(who.GetGroups()),
		func(group string) bool { return group == user.AllAuthenticated })
	return nil
}
