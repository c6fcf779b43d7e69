package runner

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// TestFaultsOnKubelets: the steps image, pod and node act on upstream's kubelet through its container runtime and its process.
func TestFaultsOnKubelets(t *testing.T) {
	const probe = ", readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}"
	for _, test := range []struct {
		name, container string
		steps           []string
	}{
		{"an image that cannot be pulled", "", []string{
			"  - {at: 2s, image: {failPull: 'other'}}",
			"  - {at: 2s, create: '{apiVersion: v1, kind: Pod, metadata: {name: other}, spec: {containers: [{name: c, image: other}]}}'}",
			`  - {at: 10s, expect: {that: "pod('other').status.containerStatuses[0].state.waiting.reason == 'ErrImagePull'"}}`,
			"  - {at: 12s, image: {recover: '*'}}",
			`  - {wait: {for: "pod('other').status.phase == 'Running'", timeout: 1m}}`,
		}},
		{"an image that crashes", "", []string{
			"  - {at: 10s, image: {crashLoop: 'web'}}",
			`  - {at: 50s, expect: {that: "pod('web').status.containerStatuses[0].restartCount >= 2"}}`,
			"  - {at: 50s, image: {recover: 'web'}}",
			`  - {wait: {for: "pod('web').status.containerStatuses[0].ready", timeout: 1m}}`,
		}},
		{"a Pod that crashes", "", []string{
			"  - {at: 10s, pod: {crashLoop: pod/web}}",
			`  - {at: 50s, expect: {that: "pod('web').status.containerStatuses[0].lastState.terminated.exitCode == 1"}}`,
		}},
		{"a Pod that is not Ready", probe, []string{
			"  - {at: 10s, pod: {unready: pod/web}}",
			`  - {at: 20s, expect: {that: "!pod('web').status.containerStatuses[0].ready && pod('web').status.containerStatuses[0].restartCount == 0"}}`,
			"  - {at: 20s, pod: {recover: pod/web}}",
			`  - {at: 30s, expect: {that: "pod('web').status.containerStatuses[0].ready"}}`,
		}},
		{"a Pod that hangs", "", []string{
			"  - {at: 10s, pod: {hang: pod/web}}",
			"  - {at: 10s, delete: {target: pod/web}}",
			`  - {at: 1m30s, expect: {that: "has(pod('web').metadata.deletionTimestamp)"}}`,
			"  - {at: 1m30s, pod: {recover: pod/web}}",
			`  - {at: 1m40s, expect: {that: "size(pods()) == 0"}}`,
		}},
		{"a node that loses power", "", []string{
			"  - {at: 10s, node: {fail: node-1}}",
			"  - {at: 20s, node: {recover: node-1}}",
			`  - {wait: {for: "pod('web').status.containerStatuses[0].restartCount == 1 && pod('web').status.containerStatuses[0].ready", timeout: 1m}}`,
		}},
		{"a node that is disconnected", "", []string{
			"  - {at: 10s, node: {partition: node-1}}",
			"  - {at: 11s, delete: {target: pod/web}}",
			`  - {at: 1m, expect: {that: "has(pod('web').metadata.deletionTimestamp)"}}`,
			"  - {at: 1m, node: {recover: node-1}}",
			`  - {wait: {for: "size(pods()) == 0", timeout: 1m}}`,
		}},
		{"a Pod that the kubelet rejects", "", []string{
			"  - {at: 10s, fault: {kubelet: {node: node-1, name: 'new*'}, reject: UnexpectedAdmissionError, times: 1}}",
			"  - {at: 11s, create: '{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: [{name: c, image: web}]}}'}",
			"  - {at: 12s, create: '{apiVersion: v1, kind: Pod, metadata: {name: newer}, spec: {containers: [{name: c, image: web}]}}'}",
			`  - {at: 40s, expect: {that: "pod('new').status.phase == 'Failed' && pod('new').status.reason == 'UnexpectedAdmissionError'"}}`,
			`  - {at: 40s, expect: {that: "!has(pod('new').status.containerStatuses) && pod('newer').status.phase == 'Running'"}}`,
		}},
		{"requests of a kubelet that fail", "", []string{
			"  - {at: 9s, fault: {request: {actor: kubelet@node-1, verb: patch, resource: pods, subresource: status}, fail: InternalError, times: 3}}",
			"  - {at: 10s, pod: {crashLoop: pod/web}}",
			`  - {wait: {for: "pod('web').status.containerStatuses[0].restartCount >= 1", timeout: 1m}}`,
		}},
		{"a watch of a kubelet that ends", "", []string{
			"  - {at: 10s, fault: {watch: {actor: kubelet@node-1, resource: pods}, disconnect: true}}",
			"  - {at: 12s, delete: {target: pod/web}}",
			`  - {wait: {for: "size(pods()) == 0", timeout: 1m}}`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			live(t, onKubelet(t, "{image: web, onTerm: {exits: 1s}}", test.container, test.steps...))
		})
	}
}

// TestFaultsThatNeedMore: a Pod that cannot have a fault is refused with the reason.
func TestFaultsThatNeedMore(t *testing.T) {
	for step, want := range map[string]string{
		"{at: 5s, pod: {unready: pod/web}}":                                                "has no readiness probe",
		"{at: 5s, pod: {fail: pod/web}}":                                                   "its restartPolicy is Always",
		"{at: 5s, node: {skew: node-1, behind: 1m}}":                                       "share one clock",
		"{at: 5s, controller: {crash: kubelet-node-9}}":                                    `unknown process "kubelet-node-9"`,
		"{at: 5s, fault: {request: {actor: kubelet@node-9, verb: patch}, fail: Conflict}}": `unknown actor "kubelet@node-9"`,
	} {
		scenario, err := format.Parse("kubelet.yaml", []byte(onKubelet(t, "{image: web}", "", "  - "+step)), verb.All)
		if err == nil {
			_, err = Run(scenario, RunOptions{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", step, err, want)
		}
	}
}

// TestCommandsThatFail: a command that cannot run, or ends otherwise than it has to, is a step that fails, as one that waits in vain: a fault
// may be why.
func TestCommandsThatFail(t *testing.T) {
	const hostname = "at: 14s, exec: {pod: pod/web, command: [hostname]}"
	for _, test := range []struct{ before, step, want string }{
		{"node: {fail: node-1}", hostname, "exec pod/web -- hostname: the kubelet of node node-1 does not answer"},
		{
			"delete: {target: pod/web}", strings.Replace(hostname, "14s", "1m", 1),
			"exec pod/web -- hostname: there is no pod default/web",
		},
		{"pod: {crashLoop: pod/web}", hostname, "exec pod/web -- hostname: container web of pod default/web does not run"},
		{
			"note: Nothing.", "exec: {pod: pod/web, command: ['false']}",
			"exec pod/web -- false: the command ended with exit code 1, not 0",
		},
		{
			"note: Nothing.", "exec: {pod: pod/web, command: [sleep, 1m], timeout: 5s}",
			"exec pod/web -- sleep 1m: the command has not ended after 5s",
		},
	} {
		outcome := outcomeOf(t, onKubelet(t, "{image: other}", ", command: [sleep, 10m]", "  - {at: 10s, "+test.before+"}", "  - {"+test.step+"}"))
		if outcome.Result != Fail || !slices.ContainsFunc(outcome.Checks, func(c CheckResult) bool {
			return c.Name == "spec.steps[2]" && c.Result == Fail && c.Message == test.want
		}) {
			t.Errorf("after %s: %s %s %v, want %s", test.before, outcome.Result, outcome.Error, outcome.Checks, test.want)
		}
	}
}

// TestACommandThatIsMissing: if the program of an image does not have a command, the scenario is wrong.
func TestACommandThatIsMissing(t *testing.T) {
	text := onKubelet(t, "{image: web}", "", "  - {at: 10s, exec: {pod: pod/web, command: [nosuch]}}")
	scenario, err := format.Parse("kubelet.yaml", []byte(text), verb.All)
	if err == nil {
		_, err = Run(scenario, RunOptions{})
	}
	if err == nil || !strings.Contains(err.Error(), "spec.steps[1].exec.command: exec: \"nosuch\": executable file not found") {
		t.Error(err)
	}
}

// outcomeOf runs a scenario, whose Pods with the image web have that of busybox if they have a command.
func outcomeOf(t *testing.T, text string) *Outcome {
	t.Helper()
	scenario, err := format.Parse("kubelet.yaml", []byte(strings.ReplaceAll(text, "image: web, command", "image: busybox, command")), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := Run(scenario, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

// TestTerminatedByPower: a container that ran when its node lost power has ended with 255, as containerd reports those that it lost.
func TestTerminatedByPower(t *testing.T) {
	told := live(t, onKubelet(t, "{image: web}", "", "  - {at: 10s, node: {fail: node-1}}", "  - {at: 20s, node: {recover: node-1}}"))
	last := told.pod.Status.ContainerStatuses[0].LastTerminationState.Terminated
	if last == nil || last.ExitCode != 255 || last.FinishedAt.Sub(told.pod.CreationTimestamp.Time) != 10*time.Second {
		t.Errorf("the container ended by %+v", last)
	}
	if !slices.ContainsFunc(told.pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	}) {
		t.Errorf("the Pod is not Ready: %+v", told.pod.Status.Conditions)
	}
}

// TestTwoPodsOfAnOrdinal: a Pod of a StatefulSet that is deleted by force runs on, if the kubelet of its node cannot be reached.
func TestTwoPodsOfAnOrdinal(t *testing.T) {
	for step, want := range map[string]string{
		"node: {partition: node-1}":                             Fail,
		"controller: {crash: kubelet-node-1, restartAfter: 1m}": Fail,
		"node: {fail: node-1}":                                  Pass, // its containers end
	} {
		scenario, err := format.Parse("ordinal.yaml", []byte(strings.Replace(ordinal, "STEP", step, 1)), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := Run(scenario, RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		broken := slices.ContainsFunc(outcome.Checks, func(c CheckResult) bool {
			return c.Name == "statefulset-ordinal" && c.Result != Pass
		})
		if outcome.Result != want || broken != (want == Fail) {
			t.Errorf("%s: %s %v, want %s", step, outcome.Result, outcome.Checks, want)
		}
	}
}

const ordinal = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: ordinal}
spec:
  title: A Pod is deleted by force
  horizon: 2m
  kubernetes: {kubelet: kubelet}
  steps:
  - create: |
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: web}
      spec:
        replicas: 1
        serviceName: web
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            nodeSelector: {kubernetes.io/hostname: node-1}
            containers: [{name: c, image: "web:v1"}]
  - wait: {for: "statefulset('web').status.readyReplicas == 1"}
  - STEP
  - patch: {target: statefulset/web, patch: {spec: {template: {spec: {nodeSelector: {kubernetes.io/hostname: node-2}}}}}}
  - after: 10s
    delete: {target: pod/web-0, gracePeriodSeconds: 0}
`

// TestNodesThatFailByARule: a fault of spec.faults that is about a node acts on upstream's kubelet of that node, and ends.
func TestNodesThatFailByARule(t *testing.T) {
	for fault, restarts := range map[string]int32{"fail": 1, "partition": 0} {
		text := strings.Replace(onKubelet(t, "{image: web}", ""), "  steps:", "  faults: [{at: 20s, node: {"+fault+": node-1}, for: 30s}]\n  steps:", 1)
		told := live(t, text)
		if told.pod == nil || told.pod.Status.ContainerStatuses[0].RestartCount != restarts || !told.pod.Status.ContainerStatuses[0].Ready {
			t.Errorf("%s: the Pod afterwards: %+v", fault, told.pod)
		}
	}
}

// TestKubeletsWithoutRoles: with RBAC, a kubelet may do what upstream's Node authorizer allows: it is no administrator, and nothing that it
// needs is forbidden.
func TestKubeletsWithoutRoles(t *testing.T) {
	const secret = "\n  - create: '{apiVersion: v1, kind: Secret, metadata: {name: key}}'\n"
	text := strings.NewReplacer("  cluster:\n", "  cluster:\n    authorization: {mode: RBAC}\n", "  steps:\n", "  steps:"+secret).
		Replace(onKubelet(t, "{image: web}", ", envFrom: [{secretRef: {name: key}}]"))
	told := live(t, text)
	if told.pod == nil || told.pod.Status.Phase != corev1.PodRunning {
		t.Errorf("the Pod: %+v", told.pod)
	}
	if len(told.errors) > 0 {
		t.Errorf("kubelets logged %v", told.errors)
	}
}
