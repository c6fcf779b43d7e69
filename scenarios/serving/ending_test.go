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
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
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
	cmd, said, in, config := serving(t)
	create(t, config, "one")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(said.String(), "A run of s.yaml has the same trace hash\n") {
		t.Errorf("%v\n%s", err, said.String())
	}
	diff := exec.Command(os.Args[0], "diff", "s.jsonl", "s.yaml")
	diff.Dir = in("")
	if out, err := diff.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "A and B are identical: ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// serving serves a small world in a process of its own, in a new folder, and returns the configuration of a client.
func serving(t *testing.T) (cmd *exec.Cmd, said *bytes.Buffer, in func(name string) string, config *rest.Config) {
	t.Helper()
	dir := t.TempDir()
	in = func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("world.yaml"), []byte(smallWorld), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, said = exec.Command(os.Args[0], "serve", "world.yaml", "--save=s.yaml", "--trace-out=s.jsonl"), &bytes.Buffer{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
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
	return cmd, said, in, config
}

func create(t *testing.T, config *rest.Config, name string) {
	t.Helper()
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestAKilledSession ends a session without giving it time for anything. All that a client has an answer for is in the file, which is a
// scenario that runs.
func TestAKilledSession(t *testing.T) {
	cmd, _, in, config := serving(t)
	for _, name := range []string{"one", "two", "three"} {
		create(t, config, name)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	saved, err := runner.Open(in("s.yaml"))
	if err != nil || len(saved.Spec.Steps) != 3 {
		t.Fatalf("%v, %v", saved, err)
	}
	result, err := child.Run{File: in("s.yaml")}.Follow(t.Context(), func(*trace.Record) error { return nil })
	if err != nil || result.Outcome.Result != runner.Pass {
		t.Errorf("%+v, %v", result, err)
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
