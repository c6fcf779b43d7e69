package session_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
	utilexec "k8s.io/client-go/util/exec"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/network/live"
)

const withKubelet = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: world}
spec:
  title: A cluster with upstream's kubelet
  kubernetes: {kubelet: kubelet, scheduler: simple}
  cluster:
    nodes: [{count: 1}]
    managedFields: true
    programs:
    - image: web
      prints: [{line: listening on :8080, at: 1s}, {line: GET / 200, at: 4s, every: 10s}]
      answers:
      - {path: /, code: 200, body: hello}
      - {path: date, code: 0, body: today}
      - {path: check, code: 3, body: no database}
    - image: crash
      prints: [{line: starting}, {line: 'panic: no database', at: 3s}]
      exits: {after: 3s, code: 2}
    - {image: slow, pull: {takes: 1h}}
  steps:
  - create: |
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec: {containers: [{name: web, image: web, ports: [{containerPort: 8080}]}]}
  - create: |
      apiVersion: v1
      kind: Pod
      metadata: {name: crash}
      spec: {containers: [{name: crash, image: crash}]}
  - create: |
      apiVersion: v1
      kind: Pod
      metadata: {name: shell}
      spec: {containers: [{name: shell, image: busybox, args: [sleep, 1h]}]}
  - create: |
      apiVersion: v1
      kind: Pod
      metadata: {name: slow}
      spec: {containers: [{name: slow, image: slow}]}
`

// onKubelet is a session whose Pods have run for a minute.
func onKubelet(t *testing.T, pace live.Pace) (r *running, client *kubernetes.Clientset) {
	t.Helper()
	if !controllers.RunsKubelets() {
		t.Skip(controllers.ErrNoKubelet)
	}
	r = startOf(t, withKubelet, pace)
	if err := r.Door.Step(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	return r, r.client(token)
}

// logsOf is the log of the one container of a Pod.
func logsOf(client *kubernetes.Clientset, pod string, options corev1.PodLogOptions) string {
	stream, err := client.CoreV1().Pods("default").GetLogs(pod, &options).Stream(context.Background())
	if err != nil {
		return err.Error()
	}
	defer stream.Close()
	text, err := io.ReadAll(stream)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// TestLogsOfPrograms: kubectl logs prints what the program of a container has printed. Reading it is not part of the session.
func TestLogsOfPrograms(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	gets := "GET / 200\n"
	for _, c := range []struct {
		pod     string
		options corev1.PodLogOptions
		want    string
	}{
		{"web", corev1.PodLogOptions{}, "listening on :8080\n" + strings.Repeat(gets, 6)},
		{"web", corev1.PodLogOptions{TailLines: ptr.To(int64(1))}, gets},
		{"web", corev1.PodLogOptions{SinceSeconds: ptr.To(int64(10))}, gets},
		{"web", corev1.PodLogOptions{LimitBytes: ptr.To(int64(9))}, "listening"},
		{"web", corev1.PodLogOptions{Container: "nope"}, "container nope is not valid for pod web"},
		{"web", corev1.PodLogOptions{Previous: true}, `previous terminated container "web" in pod "web" not found`},
		{"slow", corev1.PodLogOptions{}, `container "slow" in pod "slow" is waiting to start: ContainerCreating`},
		{"nope", corev1.PodLogOptions{}, `pods "nope" not found`},
	} {
		if got := logsOf(client, c.pod, c.options); got != c.want {
			t.Errorf("the log of %s with %+v:\n%swant\n%s", c.pod, c.options, got, c.want)
		}
	}
	stamped := logsOf(client, "web", corev1.PodLogOptions{Timestamps: true, TailLines: ptr.To(int64(1))})
	at, err := time.Parse(time.RFC3339Nano, strings.Fields(stamped)[0])
	if err != nil || at.Year() != 2026 || at.Minute() != 0 || !strings.HasSuffix(stamped, " "+gets) {
		t.Errorf("with its time, the last line is %q", stamped)
	}
	// Of a container that crashes, the kubelet keeps one that has ended: the previous one, once another has started.
	eventually(t, "running again", func() bool {
		pod, err := client.CoreV1().Pods("default").Get(t.Context(), "crash", metav1.GetOptions{})
		if err != nil || len(pod.Status.ContainerStatuses) == 0 {
			return false
		}
		status := pod.Status.ContainerStatuses[0]
		return status.State.Running != nil && status.LastTerminationState.Terminated != nil || r.Door.Step(t.Context(), time.Second) != nil
	})
	if got := logsOf(client, "crash", corev1.PodLogOptions{Previous: true}); got != "starting\npanic: no database\n" {
		t.Errorf("of the container that has crashed:\n%s", got)
	}
	r.replays(t)
}

// TestFollowALog: with kubectl logs -f, lines come while virtual time passes, and the end when the container ends.
func TestFollowALog(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	ended := make(chan string)
	go func() {
		ended <- logsOf(client, "web", corev1.PodLogOptions{Follow: true, TailLines: ptr.To(int64(0))})
	}()
	time.Sleep(time.Second)
	if err := r.Door.Step(t.Context(), 20*time.Second); err != nil {
		t.Fatal(err)
	}
	now := metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(1))}
	if err := client.CoreV1().Pods("default").Delete(t.Context(), "web", now); err != nil {
		t.Fatal(err)
	}
	if err := r.Door.Step(t.Context(), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if got := <-ended; got != "GET / 200\nGET / 200\n" {
		t.Errorf("followed:\n%s", got)
	}
	r.replays(t)
}

// executors are those of kubectl: it tries WebSocket first, and SPDY if the server does not speak that.
var executors = map[string]func(*rest.Config, *url.URL) (remotecommand.Executor, error){
	"WebSocket": func(config *rest.Config, to *url.URL) (remotecommand.Executor, error) {
		return remotecommand.NewWebSocketExecutor(config, http.MethodGet, to.String())
	},
	"SPDY": func(config *rest.Config, to *url.URL) (remotecommand.Executor, error) {
		return remotecommand.NewSPDYExecutor(config, http.MethodPost, to)
	},
}

// TestExec: kubectl exec runs what the program of a container has an answer for, over both protocols.
func TestExec(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	config := &rest.Config{Host: r.url, BearerToken: token}
	for name, made := range executors {
		exec := func(pod string, command ...string) (string, error) {
			return execute(t, client, config, made, nil, pod, command...)
		}
		if out, err := exec("web", "date"); out != "today\n" || err != nil {
			t.Errorf("%s: date: %q, %v", name, out, err)
		}
		var exit utilexec.CodeExitError
		if out, err := exec("web", "check", "--all"); out != "no database\n" || !asExit(err, &exit) || exit.Code != 3 {
			t.Errorf("%s: check: %q, %v", name, out, err)
		}
		// kubectl cp runs tar.
		want := `exec: "tar": executable file not found in $PATH`
		if out, err := exec("web", "tar", "xmf", "-"); out != "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: tar: %q, %v", name, out, err)
		}
		if out, err := exec("slow", "date"); out != "" || err == nil || !strings.Contains(fmt.Sprint(err), "container not found") && name == "SPDY" {
			t.Errorf("%s: a Pod that does not run: %q, %v", name, out, err)
		}
	}
	r.replays(t)
}

// execute runs a command in the one container of a Pod, and returns its standard output before its errors.
func execute(
	t *testing.T, client *kubernetes.Clientset, config *rest.Config, made func(*rest.Config, *url.URL) (remotecommand.Executor, error),
	in io.Reader, pod string, command ...string,
) (string, error) {
	t.Helper()
	options := &corev1.PodExecOptions{Command: command, Stdin: in != nil, Stdout: true, Stderr: true}
	to := client.CoreV1().RESTClient().Post().Resource("pods").Namespace("default").Name(pod).SubResource("exec").
		VersionedParams(options, scheme.ParameterCodec).URL()
	executor, err := made(config, to)
	if err != nil {
		t.Fatal(err)
	}
	var out, errors bytes.Buffer
	err = executor.StreamWithContext(t.Context(), remotecommand.StreamOptions{Stdin: in, Stdout: &out, Stderr: &errors})
	return out.String() + errors.String(), err
}

// TestExecInAShell: a command in a container with a shell changes its files, so it is a step of the session, and happens again when the
// session is played again.
func TestExecInAShell(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	config := &rest.Config{Host: r.url, BearerToken: token}
	for name, made := range executors {
		steps, _ := r.Steps()
		exec := func(command ...string) (string, error) {
			return execute(t, client, config, made, nil, "shell", command...)
		}
		if out, err := exec("sh", "-c", "echo "+name+" >/tmp/written; echo done >&2"); out != "done\n" || err != nil {
			t.Errorf("%s: a script that writes: %q, %v", name, out, err)
		}
		if out, err := exec("cat", "/tmp/written"); out != name+"\n" || err != nil {
			t.Errorf("%s: the file that it wrote: %q, %v", name, out, err)
		}
		var exit utilexec.CodeExitError
		if out, err := exec("test", "-e", "/tmp/nothing"); out != "" || !asExit(err, &exit) || exit.Code != 1 {
			t.Errorf("%s: a test that fails: %q, %v", name, out, err)
		}
		if after, lost := r.Steps(); after != steps+3 || lost != "" {
			t.Errorf("%s: %d steps more, want 3: %s", name, after-steps, lost)
		}
	}
	// One that takes time prints while time passes.
	ended := make(chan string)
	go func() {
		out, err := execute(t, client, config, executors["SPDY"], nil, "shell", "sh", "-c", "for i in 1 2 3; do echo $i; sleep 10; done")
		ended <- fmt.Sprint(out, err)
	}()
	eventually(t, "the end of the script", func() bool {
		select {
		case out := <-ended:
			if out != "1\n2\n3\n<nil>" {
				t.Errorf("a script that takes half a minute: %q", out)
			}
			return true
		default:
			return r.Door.Step(t.Context(), 5*time.Second) != nil
		}
	})
	r.replays(t)
}

// TestExecReadsNoInput: nobody could send it again. It replays nothing, since the client logs in the process of the simulation.
func TestExecReadsNoInput(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	config := &rest.Config{Host: r.url, BearerToken: token}
	_, err := execute(t, client, config, executors["SPDY"], strings.NewReader("typed"), "shell", "cat")
	if err == nil || !strings.Contains(err.Error(), "run it without -i and -t") {
		t.Errorf("a command that reads: %v", err)
	}
	if steps, _ := r.Steps(); steps != 0 {
		t.Errorf("%d steps", steps)
	}
}

func asExit(err error, into *utilexec.CodeExitError) bool {
	exit, ok := err.(utilexec.CodeExitError)
	*into = exit
	return ok
}

// TestAttach: kubectl attach gets what is printed from then on.
func TestAttach(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	to := client.CoreV1().RESTClient().Post().Resource("pods").Namespace("default").Name("web").SubResource("attach").
		VersionedParams(&corev1.PodAttachOptions{Stdout: true}, scheme.ParameterCodec).URL()
	executor, err := executors["WebSocket"](&rest.Config{Host: r.url, BearerToken: token}, to)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	ended := make(chan error)
	go func() {
		ended <- executor.StreamWithContext(context.Background(), remotecommand.StreamOptions{Stdout: &out})
	}()
	time.Sleep(time.Second)
	if err := r.Door.Step(t.Context(), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	now := metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(1))}
	if err := client.CoreV1().Pods("default").Delete(t.Context(), "web", now); err != nil {
		t.Fatal(err)
	}
	if err := r.Door.Step(t.Context(), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || out.String() != "GET / 200\n" {
		t.Errorf("attached, %v:\n%s", err, out.String())
	}
	r.replays(t)
}

// TestPortForward: requests through kubectl port-forward get the answers of the program that listens at the port.
func TestPortForward(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	ports, end := forward(t, r, client, "web", "0:8080", "0:81")
	for path, want := range map[string]string{"/": "200 hello", "/other": "200 ok"} {
		response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", ports[0].Local, path))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if got := fmt.Sprint(response.StatusCode, " ", string(body)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/", ports[1].Local)); err == nil {
		_ = response.Body.Close()
		t.Error("nothing listens at port 81")
	}
	end()
	r.replays(t)
}

// forward forwards ports of a Pod until end is called.
func forward(t *testing.T, r *running, client *kubernetes.Clientset, pod string, of ...string) (
	ports []portforward.ForwardedPort, end func(),
) {
	t.Helper()
	config := &rest.Config{Host: r.url, BearerToken: token}
	to := client.CoreV1().RESTClient().Post().Resource("pods").Namespace("default").Name(pod).SubResource("portforward").URL()
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		t.Fatal(err)
	}
	overWebSocket, err := portforward.NewSPDYOverWebsocketDialer(to, config)
	if err != nil {
		t.Fatal(err)
	}
	overSPDY := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, to)
	stop, ready := make(chan struct{}), make(chan struct{})
	forwarder, err := portforward.New(portforward.NewFallbackDialer(overWebSocket, overSPDY, func(error) bool { return true }),
		of, stop, ready, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- forwarder.ForwardPorts() }()
	<-ready
	if ports, err = forwarder.GetPorts(); err != nil {
		t.Fatal(err)
	}
	return ports, func() {
		close(stop)
		<-ended
	}
}

// TestPortForwardToAGoFunction: a session would not replay if clients sent requests to a program that may remember them. kubectl says so.
func TestPortForwardToAGoFunction(t *testing.T) {
	if !controllers.RunsKubelets() {
		t.Skip(controllers.ErrNoKubelet)
	}
	server := strings.Replace(withKubelet, "image: busybox, args: [sleep, 1h]", "image: agnhost, args: [netexec, --http-port=8080]", 1)
	r := startOf(t, server, live.Pace{})
	if err := r.Door.Step(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	said := ""
	before := utilruntime.ErrorHandlers
	utilruntime.ErrorHandlers = append(slices.Clip(before), func(_ context.Context, err error, message string, _ ...any) {
		mu.Lock()
		defer mu.Unlock()
		said += fmt.Sprintln(message, err)
	})
	defer func() { utilruntime.ErrorHandlers = before }()
	for port, want := range map[string]string{"0:8080": "the program there is a Go function", "0:81": "connect: connection refused"} {
		ports, end := forward(t, r, r.client(token), "shell", port)
		if response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/", ports[0].Local)); err == nil {
			_ = response.Body.Close()
			t.Errorf("port %s answers %s", port, response.Status)
		}
		end()
		mu.Lock()
		if !strings.Contains(said, want) {
			t.Errorf("port %s: %q does not contain %q", port, said, want)
		}
		mu.Unlock()
	}
	r.replays(t)
}

// TestNobodyAnswersForACrashedKubelet: without its kubelet, a node has no logs.
func TestNobodyAnswersForACrashedKubelet(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	if err := r.Do(typed(t, "controller crash kubelet-node-1")); err != nil {
		t.Fatal(err)
	}
	refused := []string{"https://192.168.0.1:10250/containerLogs/default/web/web", "connect: connection refused"}
	got := logsOf(client, "web", corev1.PodLogOptions{})
	if slices.ContainsFunc(refused, func(part string) bool { return !strings.Contains(got, part) }) {
		t.Errorf("the log: %s", got)
	}
	r.replays(t)
}

// TestAKubeletSaysItsVersion: kubectl get nodes shows the version of Kubernetes, which the build of a release would have set.
func TestAKubeletSaysItsVersion(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	node, err := client.CoreV1().Nodes().Get(t.Context(), "node-1", metav1.GetOptions{})
	if err != nil || node.Status.NodeInfo.KubeletVersion != controllers.KubernetesVersion {
		t.Errorf("%v: the kubelet has the version %s", err, node.Status.NodeInfo.KubeletVersion)
	}
	r.replays(t)
}

// TestTopOnKubelets: kubectl top gets what the container runtimes of the nodes measure.
func TestTopOnKubelets(t *testing.T) {
	r, client := onKubelet(t, live.Pace{})
	for path, want := range map[string]string{
		"/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/web": `"containers":[{"name":"web","usage":{"cpu":"0","memory":"8Mi"}}]`,
		"/apis/metrics.k8s.io/v1beta1/nodes/node-1":                `"usage":{"cpu":"0","memory":"`,
	} {
		body, err := client.CoreV1().RESTClient().Get().AbsPath(path).DoRaw(t.Context())
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %v, %s, want %s", path, err, body, want)
		}
	}
	r.replays(t)
}

// TestWhoMayConnect: a role that may read Pods and not their logs reads none, and executes nothing.
func TestWhoMayConnect(t *testing.T) {
	if !controllers.RunsKubelets() {
		t.Skip(controllers.ErrNoKubelet)
	}
	r := startOf(t, strings.Replace(withKubelet, "cluster:\n", "cluster:\n    authorization: {mode: RBAC}\n", 1), live.Pace{})
	if err := r.Door.Step(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	robot := kubernetes.NewForConfigOrDie(&rest.Config{
		Host: r.url, BearerToken: token, Impersonate: rest.ImpersonationConfig{UserName: "robot"},
	})
	want := `pods "web" is forbidden: User "robot" cannot get resource "pods/log" in API group "" in the namespace "default"`
	if got := logsOf(robot, "web", corev1.PodLogOptions{}); got != want {
		t.Errorf("the log:\n%s, want\n%s", got, want)
	}
	_, err := robot.CoreV1().RESTClient().Post().Resource("pods").Namespace("default").Name("web").SubResource("exec").Do(t.Context()).Get()
	if want := `cannot create resource "pods/exec"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("exec: %v, want %s", err, want)
	}
	if got := logsOf(r.client(token), "web", corev1.PodLogOptions{LimitBytes: ptr.To(int64(9))}); got != "listening" {
		t.Errorf("an administrator reads %q", got)
	}
	r.replays(t)
}
