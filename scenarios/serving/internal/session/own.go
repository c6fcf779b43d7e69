package session

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
)

// own is the answer to what the simulated API server does not have; nil for all other requests.
func (s *Session) own(client context.Context, r *http.Request) (answer func(http.ResponseWriter)) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.URL.Path == "/version" || r.URL.Path == "/version/":
		return func(w http.ResponseWriter) { writeJSON(w, http.StatusOK, info()) }
	case r.URL.Path == "/apis/authentication.k8s.io/v1/selfsubjectreviews" && r.Method == http.MethodPost:
		return func(w http.ResponseWriter) { writeJSON(w, http.StatusCreated, s.whoami(r)) }
	case len(parts) == 7 && parts[4] == "serviceaccounts" && parts[6] == "token":
		return func(w http.ResponseWriter) {
			refuse(w, apierrors.NewBadRequest(
				"kubestep issues no tokens for service accounts: clients use the token in the kubeconfig file, and --as"))
		}
	case len(parts) == 7 && parts[0] == "api" && parts[4] == "pods":
		namespace, name, subresource := parts[3], parts[5], parts[6]
		if subresource == "log" {
			return func(w http.ResponseWriter) { s.log(client, w, r, namespace, name) }
		}
		// kubectl debug would wait for its container forever.
		debug := subresource == "ephemeralcontainers" && r.Method != http.MethodGet
		if debug || slices.Contains([]string{"exec", "attach", "portforward", "proxy"}, subresource) {
			return func(w http.ResponseWriter) {
				refuse(w, apierrors.NewBadRequest(fmt.Sprintf(
					"kubestep does not run containers, so there is nothing to %s in the Pod %s: its kubelet is a stand-in", verbOf(subresource), name)))
			}
		}
	}
	return nil
}

// whoami answers kubectl auth whoami.
func (s *Session) whoami(r *http.Request) *authenticationv1.SelfSubjectReview {
	review := &authenticationv1.SelfSubjectReview{
		TypeMeta: metav1.TypeMeta{Kind: "SelfSubjectReview", APIVersion: authenticationv1.SchemeGroupVersion.String()},
	}
	review.Status.UserInfo = authenticationv1.UserInfo{Username: verb.User, Groups: []string{user.AllAuthenticated}}
	if as := r.Header.Get(authenticationv1.ImpersonateUserHeader); as != "" {
		review.Status.UserInfo.Username = as
		review.Status.UserInfo.Groups = append(r.Header[authenticationv1.ImpersonateGroupHeader], user.AllAuthenticated)
	} else if s.base.Spec.Cluster.Authorization.Mode == authorization.RBAC {
		review.Status.UserInfo.Groups = []string{user.SystemPrivilegedGroup, user.AllAuthenticated}
	}
	return review
}

// verbOf says what a user wants from a subresource.
func verbOf(subresource string) string {
	return map[string]string{
		"exec": "execute", "attach": "attach to", "portforward": "forward ports to", "proxy": "connect to",
		"ephemeralcontainers": "debug",
	}[subresource]
}

// info is the version of the API server. Its build sets no version, as that of Kubernetes does.
func info() version.Info {
	release := controllers.KubernetesVersion
	numbers := strings.Split(strings.TrimPrefix(release, "v"), ".")
	out := version.Info{
		GitVersion: release, GoVersion: runtime.Version(), Compiler: runtime.Compiler, Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	if len(numbers) > 1 {
		out.Major, out.Minor = numbers[0], numbers[1]
	}
	return out
}
