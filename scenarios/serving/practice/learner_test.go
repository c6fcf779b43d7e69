package practice_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/scenarios/serving"
)

// starts starts a command that serves a task, and waits until clients can write.
func starts(t *testing.T, folder string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for range 600 {
		if client, err := serving.ConnectNamed("practice"); err == nil {
			if _, state, err := client.About(t.Context()); err == nil && state.Open && state.Writes == 0 {
				return
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%v does not serve: %s", args, out.String())
}

// says runs a command of practice, and holds its exit code and a text of what it prints.
func says(t *testing.T, folder string, code int, text string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"practice"}, args...)...)
	cmd.Dir = folder
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(string(out), text) {
		t.Errorf("practice %v exits with %d, not %d, and says\n%s, not %q", args, got, code, out, text)
	}
}

// TestLearner is a learner who starts a task, looks at a hint, repairs the cluster, hands in a report, and starts over.
func TestLearner(t *testing.T) {
	folder := t.TempDir()
	says(t, folder, 0, "broken-image                beginner", "list")
	says(t, folder, 2, "there is no task broken-imag", "start", "broken-imag")
	says(t, folder, 2, "no cluster with the name practice runs", "check")
	starts(t, folder, "practice", "start", "broken-image")
	says(t, folder, 0, "Hint 1 of 3: Look at the Pods", "hint", "broken-image")
	says(t, folder, 2, "broken-image has no hint 4", "hint", "broken-image", "4")
	says(t, folder, 1, "FAIL  all-on-version-2", "check")

	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(folder, serving.KubeconfigFile("practice")))
	if err != nil {
		t.Fatal(err)
	}
	patch := []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2.0"}]}}}}`)
	deployments := kubernetes.NewForConfigOrDie(config).AppsV1().Deployments("default")
	if _, err := deployments.Patch(t.Context(), "web", types.StrategicMergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	client, err := serving.ConnectNamed("practice")
	if err != nil {
		t.Fatal(err)
	}
	if state, err := client.Move(t.Context(), "step", "30s"); err != nil || state.Error != "" {
		t.Fatal(err, state.Error)
	}
	says(t, folder, 0, "3 of 3 checks pass", "check", "--report", "report.json")
	says(t, folder, 0, "report.json: true: broken-image, 3 of 3 checks pass", "verify", "report.json")
	says(t, folder, 2, "report.json", "check", "--report", "report.json")

	text, err := os.ReadFile(filepath.Join(folder, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	steps, checks, _ := strings.Cut(string(text), "checks:")
	for what, forged := range map[string]string{
		"not true: a run has 3 of 3 checks":        strings.Replace(string(text), `"traceHash": "sha256:`, `"traceHash": "sha256:0`, 1),
		"not true: this is not a session":          strings.Replace(string(text), "ready: 3s", "ready: 1s", 1),
		"not true: a run has 2 of 3 checks":        strings.ReplaceAll(steps, "web:2.0", "web:2.1") + "checks:" + checks,
		"Error: forged.json is not a report\nTry:": "{}",
	} {
		if forged == string(text) {
			t.Errorf("%s: nothing is forged in %s", what, text)
		}
		if err := os.WriteFile(filepath.Join(folder, "forged.json"), []byte(forged), 0o600); err != nil {
			t.Fatal(err)
		}
		code := 1
		if forged == "{}" {
			code = 2
		}
		says(t, folder, code, what, "verify", "forged.json")
	}
	starts(t, folder, "practice", "reset")
	says(t, folder, 1, "FAIL  all-on-version-2", "check")
}
