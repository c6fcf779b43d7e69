package serving

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// TestClientsConnectOverTLS reaches a server on all addresses of the machine with the kubeconfig that serve writes for it: the
// client trusts its certificate, and sends the token.
func TestClientsConnectOverTLS(t *testing.T) {
	at, err := listen("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"gitVersion": %q}`, r.Header.Get("Authorization"))
	})}
	go at.serve(server)
	defer server.Close()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	own := at.kubeconfig("dev")
	own.Token = "secret"
	if _, err := (&Options{Kubeconfig: path}).writeKubeconfig(own.Text()); err != nil {
		t.Fatal(err)
	}
	if input.What(path) != input.Session {
		t.Error("serve does not know its own kubeconfig")
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	config.Timeout = 10 * time.Second
	version, err := kubernetes.NewForConfigOrDie(config).Discovery().ServerVersion()
	if err != nil || version.GitVersion != "Bearer secret" {
		t.Errorf("the server at %s was sent %v, %v", at.url, version, err)
	}
	config.CAData = nil
	_, err = kubernetes.NewForConfigOrDie(config).Discovery().ServerVersion()
	if err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without the authority: %v", err)
	}
}
