package serving

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestCtrlCWithClients presses Ctrl-C while clients watch, and one of them is about to write: the session ends by itself, the watches
// end without an error, and there is a scenario but no kubeconfig file any more.
func TestCtrlCWithClients(t *testing.T) {
	dir := t.TempDir()
	file, saved, kubeconfig := filepath.Join(dir, "world.yaml"), filepath.Join(dir, "session.yaml"), filepath.Join(dir, "kubeconfig")
	if err := os.WriteFile(file, []byte(smallWorld), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Start(file, "--kubeconfig="+kubeconfig, "--save="+saved)
	if err != nil {
		t.Fatal(err)
	}
	defer p.End()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, ctx := kubernetes.NewForConfigOrDie(config), t.Context()
	pods, err := client.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "before"}}
	if _, err := client.CoreV1().ConfigMaps("default").Create(ctx, before, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	busy, rest := context.WithCancel(ctx)
	defer rest()
	go func() {
		for busy.Err() == nil {
			during := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "during-"}}
			_, _ = client.CoreV1().ConfigMaps("default").Create(busy, during, metav1.CreateOptions{})
		}
	}()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		t.Fatal("the session has not ended a minute after Ctrl-C")
	}
	rest()
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, p.End())
	}
	for event := range pods.ResultChan() {
		if _, ok := event.Object.(*corev1.Pod); !ok {
			t.Errorf("the watch ends with %v", event.Object)
		}
	}
	if said := p.End(); !strings.Contains(said, "wrote "+saved) {
		t.Errorf("serve says:\n%s", said)
	}
	if _, err := os.Stat(kubeconfig); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the kubeconfig file is still there: %v", err)
	}
	again, err := runner.Open(saved)
	if err != nil || len(again.Spec.Steps) == 0 {
		t.Errorf("the saved session: %v, %v", again, err)
	}
}
