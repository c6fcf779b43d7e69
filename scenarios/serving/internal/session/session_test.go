package session_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/kubestep/kubestep/scenarios/incident/auditlog"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/serving/internal/session"
	"github.com/kubestep/kubestep/sim/network/live"
	"github.com/kubestep/kubestep/sim/process/machine"
	"github.com/kubestep/kubestep/sim/process/random"
	"github.com/kubestep/kubestep/sim/trace"
)

const world = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: world}
spec:
  title: A cluster to use
  kubernetes: {scheduler: simple}
  cluster: {nodes: [{count: 3}], managedFields: true}
  steps:
  - create: |
      {apiVersion: v1, kind: ConfigMap, metadata: {name: before}}
`

const token = "secret"

// TestMain holds the time zone and randomness as kubestep serve does, before connections and timers look at them. The process ends
// with both: a timer may still look at the clock.
func TestMain(m *testing.M) {
	machine.Hold(nil)
	random.Hold()
	os.Exit(m.Run())
}

// running is a session in this process.
type running struct {
	*session.Session
	url     string
	outcome chan *runner.Outcome
	trace   *lines
}

// start starts a session of the world, with the audit logs that it is to write.
func start(t *testing.T, pace live.Pace, logs ...io.Writer) *running {
	t.Helper()
	return startOf(t, world, pace, logs...)
}

// startOf starts a session of a scenario.
func startOf(t *testing.T, text string, pace live.Pace, logs ...io.Writer) *running {
	t.Helper()
	plan, scenario := prepared(t, []byte(text))
	s, err := session.New(scenario, pace, token)
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range logs {
		s.Audit(log)
	}
	server := httptest.NewServer(s)
	r := &running{s, server.URL, make(chan *runner.Outcome, 1), &lines{}}
	go func() {
		outcome, err := plan.Run(runner.RunOptions{Session: s, Sinks: []trace.Sink{r.trace.take}})
		if err != nil {
			t.Error(err)
		}
		s.End()
		r.outcome <- outcome
	}()
	t.Cleanup(func() {
		s.Door.Stop()
		<-s.Door.Ended()
		server.Close()
	})
	return r
}

func prepared(t *testing.T, text []byte) (*runner.Plan, *format.Scenario) {
	t.Helper()
	scenario, err := format.Parse("world.yaml", text, verb.All, runner.Expressions)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return plan, scenario
}

// client is client-go's, as kubectl would identify itself.
func (r *running) client(token string) *kubernetes.Clientset {
	return kubernetes.NewForConfigOrDie(&rest.Config{Host: r.url, BearerToken: token, QPS: -1})
}

// lines are those of a trace.
type lines []string

// take is a trace.Sink.
func (l *lines) take(_ *trace.Record, line []byte) { *l = append(*l, string(line)) }

// replays ends the session and runs its scenario in the same process: it passes, and has the same trace.
func (r *running) replays(t *testing.T) (scenario string) {
	t.Helper()
	text, hash := r.end(t)
	plan, _ := prepared(t, text)
	var again lines
	outcome, err := plan.Run(runner.RunOptions{Sinks: []trace.Sink{again.take}})
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Result != runner.Pass {
		t.Errorf("the scenario of the session does not pass: %+v\n%s", outcome.Checks, text)
	}
	if outcome.TraceHash != hash {
		differ := 0
		for differ < min(len(again), len(*r.trace)) && again[differ] == (*r.trace)[differ] {
			differ++
		}
		t.Errorf("the scenario of the session has another trace hash. Of record %d, the session has\n%s\nand its scenario\n%s\n%s", differ+1,
			strings.Join((*r.trace)[differ:min(differ+1, len(*r.trace))], ""), strings.Join(again[differ:min(differ+1, len(again))], ""), text)
	}
	return string(text)
}

// end ends the session, and returns its scenario and its trace hash.
func (r *running) end(t *testing.T) (scenario []byte, hash string) {
	t.Helper()
	eventually(t, "open", r.Door.IsOpen)
	r.Door.Stop()
	outcome := <-r.outcome
	if outcome == nil {
		t.FailNow()
	}
	end := time.Duration(outcome.VirtualSeconds * float64(time.Second)).Round(time.Millisecond)
	text, err := r.Scenario(end)
	if err != nil {
		t.Fatal(err)
	}
	if _, lost := r.Steps(); lost != "" {
		t.Error(lost)
	}
	return text, outcome.TraceHash
}

// TestASessionIsAScenario uses a cluster with some fifty writes, while it is looked at, and runs the scenario that they
// make: its trace is that of the session.
func TestASessionIsAScenario(t *testing.T) {
	r := start(t, live.Pace{Speed: 20})
	client, ctx := r.client(token), context.Background()
	pods, err := client.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer pods.Stop()
	use(t, client)
	text := r.replays(t)
	for _, want := range []string{
		"- create: |", "scale:", "set-image:", "delete:", "evict:", "patch:", "send:", "fails: Conflict", "fails: NotFound", "contentType: application/apply-patch+yaml",
	} {
		if !strings.Contains(text, want) && !strings.Contains(strings.ReplaceAll(text, "\n      ", "\n    - "), want) {
			t.Errorf("the scenario has no %q:\n%s", want, text)
		}
	}
	seen := 0
	for range pods.ResultChan() {
		seen++
	}
	if seen < 10 {
		t.Errorf("the watch saw %d events, and ended", seen)
	}
}

// TestAnAuditLogIsAScenario uses a cluster, and makes a scenario of the audit log alone: what users have set is the same at the end.
// What a request of a Pod did is missing, as its name was drawn.
func TestAnAuditLogIsAScenario(t *testing.T) {
	var written bytes.Buffer
	r := start(t, live.Pace{Speed: 20}, &written)
	use(t, r.client(token))
	web, err := r.client(token).AppsV1().Deployments("default").Get(context.Background(), "web", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.end(t)
	log := auditlog.New()
	if err := log.Read("audit.log", &written); err != nil {
		t.Fatal(err)
	}
	options := snapshot.Options{Name: "again", Source: "audit.log"}
	text, report, err := log.Continue(snapshot.Empty(log.Begin(), options), auditlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("deployment('web').spec.replicas == %d && deployment('web').status.availableReplicas == %[1]d && "+
		"deployment('web').spec.template.spec.containers[0].image == %q",
		*web.Spec.Replicas, web.Spec.Template.Spec.Containers[0].Image)
	text = append(text, []byte("  checks:\n  - {name: same-end, at-end: \""+strings.ReplaceAll(want, `"`, "'")+"\"}\n")...)
	plan, _ := prepared(t, text)
	outcome, err := plan.Run(runner.RunOptions{})
	if err != nil || outcome.Result != runner.Pass {
		t.Errorf("%+v, %v:\n%s", outcome, err, text)
	}
	lines := strings.Join(append(report.Taken, report.Omitted...), "\n")
	for _, want := range []string{"44 requests", "21 of list", "2 of 409 Conflict, 1 of 404 Not Found", "1 of pods/eviction"} {
		if !strings.Contains(lines, want) {
			t.Errorf("the report has no %q:\n%s", want, lines)
		}
	}
}

// use sends some fifty writes of many kinds, and reads between them.
func use(t *testing.T, client *kubernetes.Clientset) {
	t.Helper()
	ctx := context.Background()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	deployments, maps := client.AppsV1().Deployments("default"), client.CoreV1().ConfigMaps("default")
	_, err := deployments.Create(ctx, deployment(), metav1.CreateOptions{FieldManager: "kubectl-create"})
	check(err)
	_, err = deployments.Create(ctx, deployment(), metav1.CreateOptions{DryRun: []string{"All"}})
	if !apierrors.IsAlreadyExists(err) {
		t.Errorf("a second creation: %v", err)
	}
	for i := range 20 {
		_, err = maps.Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "generated-"}, BinaryData: map[string][]byte{"b": {0, 1, 2, byte(i)}},
		}, metav1.CreateOptions{})
		check(err)
		_, err = client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
		check(err)
		replicas := fmt.Sprintf(`{"spec":{"replicas":%d}}`, 3+i%3)
		_, err = deployments.Patch(ctx, "web", types.MergePatchType, []byte(replicas), metav1.PatchOptions{}, "scale")
		check(err)
	}
	_, err = deployments.Patch(ctx, "web", types.StrategicMergePatchType,
		[]byte(`{"spec":{"template":{"spec":{"containers":[{"image":"web:v2","name":"c"}]}}}}`), metav1.PatchOptions{FieldManager: "kubectl-set"})
	check(err)
	_, err = maps.Patch(ctx, "before", types.MergePatchType, []byte(`{"data":{"color":"blue"}}`), metav1.PatchOptions{})
	check(err)
	force := true
	_, err = maps.Patch(ctx, "applied", types.ApplyPatchType,
		[]byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\n"), metav1.PatchOptions{FieldManager: "ci", Force: &force})
	check(err)
	_, err = deployments.UpdateScale(ctx, "web", &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", ResourceVersion: "1"}, Spec: autoscalingv1.ScaleSpec{Replicas: 1},
	}, metav1.UpdateOptions{})
	if !apierrors.IsConflict(err) {
		t.Errorf("an update of an old version: %v", err)
	}
	background := metav1.DeletePropagationBackground
	if err = maps.Delete(ctx, "missing", metav1.DeleteOptions{PropagationPolicy: &background}); !apierrors.IsNotFound(err) {
		t.Errorf("the deletion of what is not there: %v", err)
	}
	list, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	check(err)
	// Those that end already may be gone before the requests arrive.
	list.Items = slices.DeleteFunc(list.Items, func(pod corev1.Pod) bool { return pod.DeletionTimestamp != nil })
	if len(list.Items) < 2 {
		t.Fatalf("%d pods", len(list.Items))
	}
	check(client.CoreV1().Pods("default").Delete(ctx, list.Items[0].Name, metav1.DeleteOptions{PropagationPolicy: &background}))
	check(client.PolicyV1().Evictions("default").Evict(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: list.Items[1].Name, Namespace: "default"}}))
	check(maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "none=such"}))
}

func deployment() *appsv1.Deployment {
	labels, replicas := map[string]string{"app": "web"}, int32(3)
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "web:v1"}}},
			},
		},
	}
}

// TestTimeStandsStill steps a session whose time somebody else moves.
func TestTimeStandsStill(t *testing.T) {
	r := start(t, live.Pace{})
	client, ctx := r.client(token), context.Background()
	if _, err := client.AppsV1().Deployments("default").Create(ctx, deployment(), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	before, _ := r.Door.Now()
	time.Sleep(100 * time.Millisecond)
	if after, _ := r.Door.Now(); after != before || before > 100*time.Millisecond {
		t.Errorf("time has passed from %s to %s", before, after)
	}
	if err := r.Door.Step(ctx, 5*time.Second); err != nil {
		t.Fatal(err)
	}
	if after, _ := r.Door.Now(); after != before+5*time.Second {
		t.Errorf("a step of 5s from %s ends at %s", before, after)
	}
	holds, err := r.Condition("deployment('web').status.availableReplicas == 3")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Door.Until(ctx, time.Hour, func() bool { ok, _ := holds(); return ok }); err != nil {
		t.Fatal(err)
	}
	log, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	if err != nil || len(log.Items) != 3 {
		t.Fatalf("%d pods, %v", len(log.Items), err)
	}
	text, err := client.CoreV1().Pods("default").GetLogs(log.Items[0].Name, &corev1.PodLogOptions{}).DoRaw(ctx)
	if err != nil || !strings.Contains(string(text), "container c started") {
		t.Errorf("logs: %s, %v", text, err)
	}
	r.end(t)
}

// TestOnlyWithTheToken: a client without the token learns nothing.
func TestOnlyWithTheToken(t *testing.T) {
	r := start(t, live.Pace{UntilQuiet: true})
	for _, wrong := range []string{"", "other"} {
		if _, err := r.client(wrong).CoreV1().Nodes().List(context.Background(), metav1.ListOptions{}); !apierrors.IsUnauthorized(err) {
			t.Errorf("with the token %q: %v", wrong, err)
		}
	}
	if answer, err := http.Get(r.url + "/version"); err != nil || answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("the version: %v, %v", answer, err)
	}
	if _, err := r.client(token).AppsV1().Deployments("default").Create(context.Background(), deployment(), metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	_, hash := r.end(t)
	if hash == "" {
		t.Error("no trace hash")
	}
}
