package serving

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/scenarios/cli"
)

// smallWorld is a scenario that is only a cluster.
const smallWorld = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: world}
spec: {title: A cluster to use, steps: []}
`

// TestASessionIsCompared ends a session as a user does. kubestep runs its scenario, and says that the trace is the same; the file of
// --trace-out has that trace.
func TestASessionIsCompared(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("world.yaml"), []byte(smallWorld), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "serve", "world.yaml", "--save=s.yaml", "--trace-out=s.jsonl")
	var said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(in("kubestep.kubeconfig")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("no kubeconfig file after a minute:\n%s", said.String())
		}
	}
	config, err := clientcmd.BuildConfigFromFlags("", in("kubestep.kubeconfig"))
	if err != nil {
		t.Fatal(err)
	}
	maps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("default")
	if _, err := maps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(said.String(), "A run of s.yaml has the same trace hash\n") {
		t.Errorf("%v\n%s", err, said.String())
	}
	diff := exec.Command(os.Args[0], "diff", "s.jsonl", "s.yaml")
	diff.Dir = dir
	if out, err := diff.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "A and B are identical: ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestASessionDiffers compares a scenario with a hash that it does not have.
func TestASessionDiffers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "world.yaml")
	if err := os.WriteFile(file, []byte(smallWorld), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	err := replay(cli.Streams{Out: &out, Err: &errs}, &Options{Save: file}, time.Second, "sha256:0")
	if !errors.Is(err, cli.ErrChecksFailed) || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
	for _, want := range []string{"Error: a run of ", " has the trace hash sha256:", "Try: kubestep serve --trace-out "} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q in\n%s", want, errs.String())
		}
	}
}
