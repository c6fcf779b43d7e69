package serving

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/child"
)

// start serves a cluster of three nodes, with its kubeconfig in a folder.
func start(t *testing.T, folder string, flags ...string) *Process {
	t.Helper()
	p, err := Start("", append(flags, "--kubeconfig="+filepath.Join(folder, "kubeconfig"))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.End() })
	return p
}

// listed is what kubestep get clusters prints, without the columns after the name.
func listed(t *testing.T) (names []string) {
	t.Helper()
	var out, errs bytes.Buffer
	if err := Clusters(t.Context(), cli.Streams{Out: &out, Err: &errs}, "name"); err != nil {
		t.Fatal(err)
	}
	return strings.Fields(out.String())
}

// TestThreeNodes serves a cluster without a file.
func TestThreeNodes(t *testing.T) {
	folder := t.TempDir()
	start(t, folder)
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(folder, "kubeconfig"))
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := kubernetes.NewForConfigOrDie(config).CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(nodes.Items) != 3 {
		t.Errorf("%d nodes, %v", len(nodes.Items), err)
	}
}

// TestNames runs two clusters at a time. The list has those that run, and only those; a name is taken as long as its cluster runs.
func TestNames(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	first := start(t, a)
	second := start(t, b, "--name=dev", "--step")
	if names := listed(t); !slices.Equal(names, []string{"dev", "kubestep"}) {
		t.Errorf("the clusters are %v", names)
	}
	_, err := Start("", "--name=dev", "--kubeconfig="+filepath.Join(t.TempDir(), "kubeconfig"))
	var refused *child.Error
	if !errors.As(err, &refused) || !strings.HasPrefix(refused.Message, "a cluster with the name dev already runs at https://127.0.0.1:") {
		t.Errorf("a second cluster dev: %v", err)
	}
	var out bytes.Buffer
	streams := cli.Streams{Out: &out, Err: &out}
	if err := Step(streams, Move{Name: "step", Value: "5s"}, StepOptions{Name: "dev"}); err != nil || out.String() != "virtual time 5.000s (paused)\n" {
		t.Errorf("%v, %q", err, out.String())
	}
	second.End()
	if names := listed(t); !slices.Equal(names, []string{"kubestep"}) {
		t.Errorf("the clusters are %v", names)
	}
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-first.ended
	if names := ClusterNames(); !slices.Equal(names, []string{"kubestep"}) {
		t.Errorf("a cluster that is killed leaves %v", names)
	}
	start(t, a) // the name and the file of a cluster that was killed are free
	if names := listed(t); !slices.Equal(names, []string{"kubestep"}) {
		t.Errorf("the clusters are %v", names)
	}
}

// TestStale removes the name of a cluster that was killed from the list.
func TestStale(t *testing.T) {
	p := start(t, t.TempDir(), "--name=killed")
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-p.ended
	if names := listed(t); len(names) > 0 || len(ClusterNames()) > 0 {
		t.Errorf("the clusters are %v, the names %v", names, ClusterNames())
	}
}

// TestKubeconfigsStay starts clusters with the kubeconfig file of another one: it is not replaced while that one runs, and nobody else
// removes it.
func TestKubeconfigsStay(t *testing.T) {
	folder := t.TempDir()
	start(t, folder)
	file := filepath.Join(folder, "kubeconfig")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	err = Serve(cli.Streams{}, "", Options{Name: "other", Kubeconfig: file, Speed: 1, Steps: AllSteps, Listen: Loopback})
	var exists *output.ExistsError
	if !errors.As(err, &exists) || !strings.HasPrefix(exists.Problem, "is the kubeconfig of a cluster that runs at https://127.0.0.1:") {
		t.Errorf("the other cluster: %v", err)
	}
	if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
		t.Errorf("the file is\n%s", after)
	}
	if files := []string{KubeconfigFile(DefaultName), KubeconfigFile("dev")}; !slices.Equal(files, []string{"kubestep.kubeconfig", "kubestep-dev.kubeconfig"}) {
		t.Errorf("the files are %v", files)
	}
}

// TestUntilEnds waits for what never comes, in virtual time.
func TestUntilEnds(t *testing.T) {
	folder := t.TempDir()
	start(t, folder, "--step")
	kubeconfig := StepOptions{Kubeconfig: filepath.Join(folder, "kubeconfig")}
	until := func(condition string, timeout time.Duration) (said string, err error) {
		var out bytes.Buffer
		err = Step(cli.Streams{Out: &out, Err: &out}, Move{Name: "until", Value: condition, Timeout: timeout}, kubeconfig)
		return out.String(), err
	}
	said, err := until("size(list('nodes')) == 4", 90*time.Second)
	want := "virtual time 90.000s (paused)\nError: timed out after 1m30s of virtual time: size(list('nodes')) == 4 is false\nTry: "
	if !errors.Is(err, cli.ErrChecksFailed) || !strings.HasPrefix(said, want) {
		t.Errorf("%v, %q", err, said)
	}
	if said, err := until("size(list('nodes')) == 4", 0); !errors.Is(err, cli.ErrChecksFailed) || !strings.HasPrefix(said, "virtual time 690.000s") {
		t.Errorf("by default: %v, %q", err, said)
	}
	if said, err := until("size(list('nodes')) == 3", time.Second); err != nil || said != "virtual time 690.000s (paused)\n" {
		t.Errorf("true at once: %v, %q", err, said)
	}
	client, err := Connect(kubeconfig.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	if state, err := client.Move(context.Background(), "next", "error"); err != nil || !state.TimedOut {
		t.Errorf("the next error: %+v, %v", state, err)
	}
}
