package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/version"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/serving/internal/podaccess"
)

// own is the answer to what the simulated API server does not have; nil for all other requests.
func (s *Session) own(client context.Context, r *http.Request) (answer func(http.ResponseWriter)) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.URL.Path == "/version" || r.URL.Path == "/version/":
		return func(w http.ResponseWriter) { writeJSON(w, http.StatusOK, info()) }
	case len(parts) == 7 && parts[0] == "api" && parts[4] == "pods":
		return s.ofKubelet(client, r, parts[3], parts[5], parts[6])
	}
	return nil
}

// ofKubelet is the answer to a request that would go to a kubelet; nil for all others.
func (s *Session) ofKubelet(client context.Context, r *http.Request, namespace, name, subresource string) func(http.ResponseWriter) {
	if subresource == "ephemeralcontainers" {
		// kubectl debug would wait for its container forever.
		if pod, _, err := s.pod(namespace, name); r.Method == http.MethodGet || err == nil && (pod == nil || pod.Spec.NodeName == "") {
			return nil
		}
	} else if connected[subresource] == nil {
		return nil
	} else if subresource != "proxy" && slices.Contains(connected[subresource], r.Method) && s.hasContainers(namespace, name) {
		return func(w http.ResponseWriter) {
			refused, err := s.mayConnect(r, subresource)
			switch {
			case err != nil:
				refuse(w, ended(err))
				return
			case refused != nil:
				(&exchange{in: w, response: refused}).respond()
				return
			}
			target := podaccess.Target{Namespace: namespace, Pod: name, Subresource: subresource}
			s.access.Serve(w, r.WithContext(client), podGetter{s, namespace}, target, refuse)
		}
	} else if err := s.connect(r, namespace, name, subresource); !errors.Is(err, errKubelet) {
		return func(w http.ResponseWriter) {
			if err == nil {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			refuse(w, err)
		}
	}
	return func(w http.ResponseWriter) {
		if subresource == "log" {
			s.log(client, w, r, namespace, name)
			return
		}
		refuse(w, apierrors.NewBadRequest(fmt.Sprintf(
			"kubestep does not run containers, so there is nothing to %s in the Pod %s: its kubelet is a stand-in", verbOf(subresource), name)))
	}
}

// hasContainers reports whether the kubelet of a Pod is upstream's, whose containers run programs. Without the Pod, or before it has a
// node, it is whether there is such a kubelet.
func (s *Session) hasContainers(namespace, name string) bool {
	if !s.runsKubelets {
		return false
	}
	pod, _, err := s.pod(namespace, name)
	return err != nil || pod == nil || pod.Spec.NodeName == "" || !s.run.HasStandIn(pod.Spec.NodeName)
}

// mayConnect asks the API server whether the client may connect; refused is its answer if not. Who connects to a container may change it,
// so that takes the verb create, by whatever method a protocol upgrades a connection.
func (s *Session) mayConnect(r *http.Request, subresource string) (refused *http.Response, err error) {
	question := r.Clone(context.Background())
	question.Body = http.NoBody
	if subresource != "log" {
		question.Method = http.MethodPost
	}
	err = s.Door.Do(func() { refused = s.outside.Authorize(question, verb.User) })
	return refused, err
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
