package control

import (
	"crypto/tls"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// server is a TLS server that counts what it is asked, and a kubeconfig for it.
func server(t *testing.T) (asked *int, k Kubeconfig) {
	t.Helper()
	asked = new(int)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked++
		fmt.Fprintf(w, `{"seconds": 1, "error": %q}`, r.Header.Get("Authorization"))
	}))
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	s.StartTLS()
	t.Cleanup(s.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	return asked, Kubeconfig{Name: "kubestep-dev", Server: s.URL, Authority: authority, Token: "secret"}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lesson.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestKubeconfig reads what Text writes, and so does client-go.
func TestKubeconfig(t *testing.T) {
	asked, k := server(t)
	path := write(t, string(k.Text()))
	client, err := Connect(path)
	if err != nil {
		t.Fatal(err)
	}
	if state, err := client.Move(t.Context(), "step", "5s"); err != nil || state.Error != "Bearer secret" || *asked != 1 {
		t.Errorf("%+v, %v, asked %d times", state, err, *asked)
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil || config.Host != k.Server || config.BearerToken != k.Token || string(config.CAData) != string(k.Authority) {
		t.Errorf("client-go reads %+v, %v", config, err)
	}
	read, err := ReadKubeconfig(path)
	if err != nil || read.Server != k.Server || read.Token != k.Token || string(read.Authority) != string(k.Authority) {
		t.Errorf("%+v, %v", read, err)
	}
}

// TestForeignKubeconfigs shows that a file which is a kubeconfig gets nothing started, read or sent: each script below has a file,
// in which SERVER, AUTHORITY and PROGRAM stand for those of the test, and what is said about it.
func TestForeignKubeconfigs(t *testing.T) {
	datadriven.RunTest(t, "testdata/kubeconfig.txt", func(t *testing.T, d *datadriven.TestData) string {
		asked, k := server(t)
		ran := filepath.Join(t.TempDir(), "ran")
		path := write(t, strings.NewReplacer(
			"SERVER", k.Server, "AUTHORITY", base64.StdEncoding.EncodeToString(k.Authority), "RAN", ran,
		).Replace(d.Input)+"\n")
		client, err := Connect(path)
		if err == nil {
			_, err = client.Move(t.Context(), "step", "5s")
		}
		if _, missing := os.Stat(ran); missing == nil {
			t.Error("a program was started")
		}
		if *asked > 0 && err != nil {
			t.Error("the server was asked")
		}
		var wrong *source.Error
		switch {
		case err == nil:
			return "connected\n"
		case errors.As(err, &wrong):
			return strings.NewReplacer(path, "lesson.yaml", k.Server, "SERVER").Replace(
				fmt.Sprintf("%v\nTry: %s\n", wrong, wrong.Try))
		}
		return strings.ReplaceAll(err.Error(), path, "lesson.yaml") + "\n"
	})
}
