package apiserver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// TestHealth asks for the health as a whole, check by check, and without some. A kube-apiserver v1.37.2 answers the same.
func TestHealth(t *testing.T) {
	for path, want := range map[string]string{
		"/livez":               "ok",
		"/readyz?exclude=etcd": "ok",
		"/readyz/etcd":         "ok",
		"/livez/poststarthook/rbac/bootstrap-roles": "ok",
		"/readyz/nope":                "404 page not found\n",
		"/livez?verbose":              "[+]ping ok\n[+]log ok\n[+]loopback-serving-certificate ok\n[+]etcd ok\n",
		"/readyz?verbose":             "[+]ping ok\n[+]log ok\n[+]etcd ok\n[+]etcd-readiness ok\n[+]informer-sync ok\n",
		"/readyz?verbose&exclude=log": "[+]ping ok\n[+]log excluded: ok\n[+]etcd ok\n",
	} {
		response, ok := apiserver.Health(httptest.NewRequest(http.MethodGet, path, nil))
		if !ok {
			t.Errorf("%s is no question for the health", path)
			continue
		}
		body, _ := io.ReadAll(response.Body)
		got := string(body)
		if strings.Contains(path, "verbose") && strings.HasPrefix(got, want) {
			endpoint := strings.TrimPrefix(strings.SplitN(path, "?", 2)[0], "/")
			if !strings.HasSuffix(got, " ok\n"+endpoint+" check passed\n") {
				t.Errorf("%s ends with %s", path, got[len(got)-100:])
			}
			continue
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if _, ok := apiserver.Health(httptest.NewRequest(http.MethodGet, "/healthy", nil)); ok {
		t.Error("/healthy is a question for the health")
	}
}
