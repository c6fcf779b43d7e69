package runner

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// onKubelet is a scenario with one Pod on a node with upstream's kubelet. program is that of the image web, and container is the rest of
// the container, as YAML in one line each.
func onKubelet(t *testing.T, program, container string, more ...string) string {
	t.Helper()
	if !controllers.RunsKubelets() {
		t.Skip(controllers.ErrNoKubelet)
	}
	return fmt.Sprintf(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: kubelet}
spec:
  title: A Pod on a kubelet
  horizon: 2m10s
  kubernetes: {kubelet: kubelet}
  cluster:
    nodes: [{count: 1, cpu: 4, memory: 8Gi}]
    programs: [%s]
  steps:
  - create: |
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec: {containers: [{name: web, image: web%s}]}
%s`, program, container, strings.Join(more, "\n"))
}

// life is what a run of a Pod tells: the reasons of its Events with their times, and the status at the end.
type life struct {
	events []string
	// errors are what kubelets logged as errors.
	errors []string
	pod    *corev1.Pod
	hash   string
}

// happened are the Events of a reason, such as "Started 5s".
func (l life) happened(reason string) (all []string) {
	for _, e := range l.events {
		if strings.HasPrefix(e, reason+" ") {
			all = append(all, e)
		}
	}
	return all
}

func live(t *testing.T, text string) (told life) {
	t.Helper()
	scenario, err := format.Parse("kubelet.yaml", []byte(text), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := Run(scenario, RunOptions{Sinks: []trace.Sink{func(r *trace.Record, _ []byte) {
		if r.Event != nil && r.At > 0 {
			told.events = append(told.events, r.Event.Reason+" "+r.At.Truncate(time.Second).String())
		}
		if r.Log != nil && r.Log.Level < 0 && r.At > 0 {
			told.errors = append(told.errors, r.Log.Message+": "+r.Log.Error)
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Result != Pass {
		t.Errorf("%s: %s %v", outcome.Result, outcome.Error, outcome.Checks)
	}
	told.hash = outcome.TraceHash
	object, found := outcome.State.Get(schema.GroupResource{Resource: "pods"}, "default", "web")
	if found {
		told.pod = object.(*corev1.Pod)
	}
	return told
}

// TestCrashLoopBackOff: a container that crashes is restarted after 10, 20 and 40 seconds.
func TestCrashLoopBackOff(t *testing.T) {
	told := live(t, onKubelet(t, "{image: web, exits: {after: 5s, code: 1}}", ""))
	status := told.pod.Status.ContainerStatuses[0]
	if last := status.LastTerminationState.Terminated; last == nil || last.ExitCode != 1 || status.RestartCount != 4 {
		t.Errorf("the container: %+v", status)
	}
	// Each run takes 5s. The first restart is at once, and the next ones 10s, 20s and 40s after the end; the kubelet looks whether the
	// time has come each time that it works on the Pod, which takes up to some seconds more.
	want := []string{"Started 0s", "Started 6s", "Started 24s", "Started 51s", "Started 1m49s"}
	if started := told.happened("Started"); !slices.Equal(started, want) {
		t.Errorf("starts: %v, want %v", started, want)
	}
}

// TestReadinessProbe: a Pod is Ready when its program answers.
func TestReadinessProbe(t *testing.T) {
	told := live(t, onKubelet(t, "{image: web, listens: 3s, answers: [{path: /ready, code: 503, until: 20s}]}",
		", readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 5}"))
	var ready corev1.PodCondition
	for _, c := range told.pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			ready = c
		}
	}
	after := ready.LastTransitionTime.Sub(told.pod.CreationTimestamp.Time)
	if ready.Status != corev1.ConditionTrue || after < 20*time.Second || after > 30*time.Second {
		t.Errorf("Ready %s %s after the Pod was created, want 20s to 30s: %v", ready.Status, after, told.events)
	}
	if !slices.ContainsFunc(told.events, func(e string) bool { return strings.HasPrefix(e, "Unhealthy") }) {
		t.Errorf("no probe failed: %v", told.events)
	}
}

// TestLivenessProbe: a container that does not answer its liveness probe is killed and started again.
func TestLivenessProbe(t *testing.T) {
	told := live(t, onKubelet(t, "{image: web, answers: [{path: /live, code: 500, from: 30s}]}",
		", livenessProbe: {httpGet: {path: /live, port: 8080}, periodSeconds: 5, failureThreshold: 3}"))
	if restarts := told.pod.Status.ContainerStatuses[0].RestartCount; restarts == 0 {
		t.Errorf("no restart: %v", told.events)
	}
	if len(told.happened("Killing")) == 0 {
		t.Errorf("nothing was killed: %v", told.events)
	}
}

// TestImagePullBackOff: an image that cannot be pulled at first is pulled again later and later.
func TestImagePullBackOff(t *testing.T) {
	told := live(t, onKubelet(t, "{image: web, pull: {takes: 2s, fails: not found, times: 2}}", ""))
	if told.pod.Status.Phase != corev1.PodRunning || len(told.happened("Failed")) == 0 || len(told.happened("Pulling")) < 2 {
		t.Errorf("%s: %v", told.pod.Status.Phase, told.events)
	}
}

// TestOutOfMemory: a program that reaches the limit of its container is killed.
func TestOutOfMemory(t *testing.T) {
	told := live(t, onKubelet(t, "{image: web, leaks: 10Mi}", ", resources: {limits: {memory: 108Mi}}"))
	last := told.pod.Status.ContainerStatuses[0].LastTerminationState.Terminated
	if last == nil || last.Reason != "OOMKilled" || last.ExitCode != 137 || last.FinishedAt.Sub(last.StartedAt.Time).Round(time.Second) != 10*time.Second {
		t.Errorf("the container ended by %+v, want OOMKilled after 10s", last)
	}
}

// TestGracePeriod: a program that ignores SIGTERM is killed when its grace period is over.
func TestGracePeriod(t *testing.T) {
	told := live(t, onKubelet(t, "{image: web, onTerm: {exits: never}}", "",
		"  - {at: 20s, delete: {target: pod/web}}", "  - {at: 49s, expect: {that: \"pod('web').metadata.deletionGracePeriodSeconds == 30\"}}"))
	if told.pod != nil {
		t.Errorf("the Pod is still there: %v", told.events)
	}
}

// TestKubeletsRepeat: two runs have one trace.
func TestKubeletsRepeat(t *testing.T) {
	program := "{image: web, exits: {after: 5s..9s, code: 1}, pull: {takes: 1s..3s}}"
	first, second := live(t, onKubelet(t, program, "")), live(t, onKubelet(t, program, ""))
	if first.hash != second.hash || first.hash == "" {
		t.Errorf("hashes %q and %q", first.hash, second.hash)
	}
}

// TestACrashedKubelet: its containers continue, and the one that follows it finds them.
func TestACrashedKubelet(t *testing.T) {
	told := live(t, onKubelet(t, "{image: web}", "", "  - {at: 30s, controller: {crash: kubelet-node-1, restartAfter: 20s}}"))
	if status := told.pod.Status.ContainerStatuses[0]; status.RestartCount != 0 || !status.Ready {
		t.Errorf("the container: %+v", status)
	}
	if starts := told.happened("Starting"); len(starts) != 1 {
		t.Errorf("kubelets started at %v after the start of the run, want one", starts)
	}
}

func TestWhatIsSaidAboutKubelets(t *testing.T) {
	for text, want := range map[string]string{
		"kubeletConfig: {maxPods: 5, cgroupRoot: /x}":  "cgroupRoot cannot be set",
		"kubeletConfig: {featureGates: {A: true}}":     "featureGates cannot be set: the feature gates of a simulation",
		"kubeletConfig: {maxPodz: 5}":                  `unknown field "maxPodz"`,
		"kubeletConfig: {evictionHard: {memory: 1Gi}}": "unsupported eviction signal",
	} {
		body := strings.Replace(onKubelet(t, "{image: web}", ""), "{kubelet: kubelet}", "{kubelet: kubelet, "+text+"}", 1)
		parsed, err := format.Parse("kubelet.yaml", []byte(body), verb.All)
		if err == nil {
			_, err = Prepare(parsed)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestVolumesOfPods: volumes are made and removed, and no error is logged about them.
func TestVolumesOfPods(t *testing.T) {
	text := strings.Replace(onKubelet(t, "{image: web}", ", volumeMounts: [{name: scratch, mountPath: /a}, {name: fast, mountPath: /b}]",
		"  - {at: 20s, delete: {target: pod/web}}"),
		"spec: {containers:", "spec: {volumes: [{name: scratch, emptyDir: {}}, {name: fast, emptyDir: {medium: Memory}}], containers:", 1)
	told := live(t, text)
	if told.pod != nil {
		t.Errorf("the Pod is still there: %v", told.events)
	}
	if len(told.errors) > 0 {
		t.Errorf("kubelets logged %v", told.errors)
	}
}

// TestWhatIsSaidAboutLines: what a program prints has a time that makes sense.
func TestWhatIsSaidAboutLines(t *testing.T) {
	for line, want := range map[string]string{
		"{line: ' '}":                             "spec.cluster.programs[0].prints[0].line: is empty",
		"{line: a, every: 1us}":                   "spec.cluster.programs[0].prints[0].every: 1µs is too often",
		"{line: a, at: 5s, every: 1s, until: 5s}": "spec.cluster.programs[0].prints[0].until: the line is never printed: it ends before it begins",
		"{line: a, until: 5s}":                    "until is the end of every, which is missing",
	} {
		_, err := format.Parse("kubelet.yaml", []byte(onKubelet(t, "{image: web, prints: ["+line+"]}", "")), verb.All)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// TestTaintsOfKubelets: a kubelet registers its node with the taints of its configuration, so kube-scheduler finds no room.
func TestTaintsOfKubelets(t *testing.T) {
	text := strings.Replace(onKubelet(t, "{image: web}", ""), "{kubelet: kubelet}",
		"{kubelet: kubelet, kubeletConfig: {registerWithTaints: [{key: new, effect: NoSchedule}]}}", 1)
	if told := live(t, text); told.pod.Spec.NodeName != "" || told.pod.Status.Phase != corev1.PodPending {
		t.Errorf("the Pod is on node %q", told.pod.Spec.NodeName)
	}
}

// TestKubeletsOfSomeNodes: a pool of nodes has a kubelet of its own kind, and what happens on its nodes does not touch the others.
func TestKubeletsOfSomeNodes(t *testing.T) {
	text := `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: pools}
spec:
  title: Two pools
  horizon: 5m
  kubernetes: {controllers: [node-lifecycle-controller]}
  cluster:
    nodes: [{count: 1, prefix: simple}, {count: 1, prefix: real, kubelet: kubelet}]
    programs: [{image: web, exits: {after: 5s, code: 1}}]
    pods: [{ready: 7s}]
  steps:
  - create: |
      apiVersion: v1
      kind: Pod
      metadata: {name: simple}
      spec: {nodeName: simple-1, containers: [{name: web, image: web}]}
  - create: |
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec: {nodeName: real-1, containers: [{name: web, image: web}]}
  - after: 6s
    expect: {that: "!ready(pod('simple'))"}
  - after: 2s
    expect: {that: ready(pod('simple'))}
  - pod: {crashLoop: pod/simple}
  - wait: {for: "pod('web').status.containerStatuses[0].restartCount >= 2"}
  - node: {fail: real-1}
  - after: 1m
    expect: {that: "condition(node('real-1'), 'Ready').status == 'Unknown' && condition(node('simple-1'), 'Ready').status == 'True'"}
`
	told := live(t, text)
	if told.pod == nil || told.pod.Status.HostIP == "" {
		t.Errorf("the Pod of upstream's kubelet: %+v", told.pod)
	}
	if again := live(t, text); again.hash != told.hash {
		t.Errorf("hash %s, and again %s", told.hash, again.hash)
	}
}
