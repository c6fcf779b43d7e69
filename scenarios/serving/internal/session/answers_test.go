package session_test

import (
	"io"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/network/live"
)

// typed is a step of a command.
func typed(t *testing.T, line string) format.Step {
	t.Helper()
	words := strings.Fields(line)
	for _, command := range verb.Commands() {
		if command.Name == words[0] {
			v, err := command.Verb(words[1:])
			if err != nil {
				t.Fatal(err)
			}
			return format.Step{Verb: v.(format.Verb)}
		}
	}
	t.Fatalf("no command %q", line)
	return format.Step{}
}

// TestTypedSteps takes steps that kubectl cannot take: they refer to nodes, loads and processes of the scenario. What is wrong with
// one does not name a file.
func TestTypedSteps(t *testing.T) {
	text := strings.Replace(withSteps("[]"), "{nodes: [{count: 3}],",
		"{nodes: [{count: 3, prefix: worker}], load: [{name: web, pods: app=web, metric: cpu, levels: [{total: 500m}]}],", 1)
	r := startOf(t, text, live.Pace{})
	for _, line := range []string{"node fail worker-1", "load web 2", "load web 200m/pod", "controller crash kube-controller-manager"} {
		if err := r.Do(typed(t, line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for line, want := range map[string]string{
		"node fail node-1":         `node.fail: unknown node "node-1"`,
		"load wep 2":               `load.name: unknown load "wep"`,
		"controller crash kubelet": `controller.crash: unknown process "kubelet"`,
	} {
		if err := r.Do(typed(t, line)); err == nil || !strings.HasPrefix(err.Error(), want+" (try ") {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	if err := r.Do(typed(t, "pod unready pod/nope")); err == nil || err.Error() != "there is no pod default/nope" {
		t.Errorf("a Pod that is not there: %v", err)
	}
	if count, lost := r.Steps(); count != 4 || lost != "" {
		t.Errorf("the session has %d steps, %s", count, lost)
	}
	r.replays(t)
}

// TestLogs follows the log of a Pod that is deleted: it has what happens meanwhile, and ends with the Pod.
func TestLogs(t *testing.T) {
	r := start(t, live.Pace{})
	client, ctx := r.client(token), t.Context()
	pods := client.CoreV1().Pods("default")
	if _, err := client.AppsV1().Deployments("default").Create(ctx, deployment(), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := r.Door.Step(ctx, 10*time.Second); err != nil {
		t.Fatal(err)
	}
	list, err := pods.List(ctx, metav1.ListOptions{})
	if err != nil || len(list.Items) == 0 {
		t.Fatalf("%v, %v", list, err)
	}
	name := list.Items[0].Name
	logs := func(options corev1.PodLogOptions) string {
		stream, err := pods.GetLogs(name, &options).Stream(ctx)
		if err != nil {
			return err.Error()
		}
		defer stream.Close()
		text, err := io.ReadAll(stream)
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	if text := logs(corev1.PodLogOptions{Previous: true}); !strings.Contains(text, `previous terminated container "c" in pod "`+name) {
		t.Errorf("of a container that was not restarted: %s", text)
	}
	recent := int64(1)
	if text := logs(corev1.PodLogOptions{SinceSeconds: &recent}); text != "" {
		t.Errorf("of the last second: %s", text)
	}
	followed := make(chan string)
	go func() { followed <- logs(corev1.PodLogOptions{Follow: true}) }()
	time.Sleep(100 * time.Millisecond)
	if err := r.Do(typed(t, "pod unready pod/"+name)); err != nil {
		t.Fatal(err)
	}
	if err := r.Door.Step(ctx, time.Second); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	if err := pods.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := r.Door.Step(ctx, time.Minute); err != nil {
		t.Fatal(err)
	}
	text := <-followed
	for _, want := range []string{"container c started", "Ready True", "Ready False"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log has no %q:\n%s", want, text)
		}
	}
	r.end(t)
}
