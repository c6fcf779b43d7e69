package apiserver_test

import (
	"net/http"
	"testing"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// TestAccess asks an authenticator and an authorizer of another's making about each request over HTTP, also one for a document and
// one for a watch: who is not known is not authorized, and who is not privileged may do nothing.
func TestAccess(t *testing.T) {
	names := authenticator.RequestFunc(func(r *http.Request) (*authenticator.Response, bool, error) {
		switch r.Header.Get("Authorization") {
		case "Bearer admin":
			return &authenticator.Response{User: &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}}}, true, nil
		case "Bearer alice":
			return &authenticator.Response{User: &user.DefaultInfo{Name: "alice"}}, true, nil
		}
		return nil, false, nil
	})
	connected := false
	server, err := apiserver.New(nil, apiserver.Options{Access: &apiserver.Access{
		Authenticator: names, Authorizer: authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup),
		Connect: func(inside kubernetes.Interface, caches informers.SharedInformerFactory) error {
			connected = inside != nil && caches.Core().V1().Pods().Informer().HasSynced()
			return nil
		},
	}})
	if err != nil || !connected {
		t.Fatalf("connected: %t, %v", connected, err)
	}
	front, err := server.HTTP()
	if err != nil {
		t.Fatal(err)
	}
	for credentials, want := range map[string]int{
		"Bearer admin": http.StatusOK, "Bearer alice": http.StatusForbidden, "": http.StatusUnauthorized,
	} {
		for _, url := range []string{"/api/v1/pods", "/api/v1/pods?watch=true", "/apis", "/healthz"} {
			request, err := http.NewRequest(http.MethodGet, "http://server"+url, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			if credentials != "" {
				request.Header.Set("Authorization", credentials)
			}
			if got := status(t, front, request); got != want {
				t.Errorf("%q gets %s: %d, want %d", credentials, url, got, want)
			}
		}
	}
}

// status is that of the response to a request. A watch that may be opened counts as OK.
func status(t *testing.T, front *apiserver.HTTP, request *http.Request) int {
	t.Helper()
	wire, ok, err := front.Parse(request, "client")
	if err != nil {
		t.Fatal(err)
	}
	var response *http.Response
	switch {
	case !ok:
		response, err = front.AuthorizeDocument(request, apiserver.Request{Actor: "client"})
	case wire.Verb == "watch":
		response, err = front.Authorize(wire)
	default:
		response, _, _ = front.Do(wire)
	}
	if err != nil {
		t.Fatal(err)
	}
	if response == nil {
		return http.StatusOK
	}
	return response.StatusCode
}
