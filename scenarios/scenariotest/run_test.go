package scenariotest

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/podcounter"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// counted is a scenario that does not name the controller that the test adds.
const counted = `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: counted}
spec:
  title: Two pods
  horizon: 30s
  cluster:
    nodes: [{count: 1, prefix: control, labels: {node-role.kubernetes.io/control-plane: ""}}]
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
  - wait: {for: rollout deployment/web}
  checks:
  - {name: counted, at-end: "node('control-1').metadata.labels['podcounter.kubestep.dev/pods'] == '2'"}
`

func runPodcounter(ctx context.Context, clients controllers.Clients) error {
	return podcounter.Run(ctx, clients.Client, podcounter.Options{Informers: clients.Informers})
}

func TestAControllerOfOnesOwn(t *testing.T) {
	result := Run(t, counted, Controller("mine", runPodcounter))
	if text := result.Text(); !strings.Contains(text, "mine                      sync      control-1") {
		t.Errorf("the trace does not show the controller's syncs:\n%s", text)
	}
}

// TestFails runs a scenario that shows a bug, and its control without the fault.
func TestFails(t *testing.T) {
	lost := strings.Replace(counted, "  steps:\n", `  faults:
  - {name: lost, request: {actor: mine, verb: patch, resource: nodes}, fail: InternalError}
  steps:
`, 1)
	mine := Controller("mine", runPodcounter)
	for _, test := range []struct {
		name, want string
		options    []Option
	}{
		{"shown", "", []Option{Fails("counted", "convergence"), mine}},
		{"control", "", []Option{WithoutFaults(), mine}},
		{"not shown", "check %s passes, and should fail counted", []Option{WithoutFaults(), Fails("counted"), mine}},
		{"unknown", "no check %s has a result count", []Option{WithoutFaults(), Fails("count"), mine}},
	} {
		text := told(t, func(tb testing.TB) { Run(tb, lost, test.options...) })
		if (test.want == "") != (text == "") || !strings.Contains(text, test.want) {
			t.Errorf("%s: no %q in %q", test.name, test.want, text)
		}
	}
}

// TestItsOwnInformersDoToo leaves the controller with the factory that it has on a real cluster.
func TestItsOwnInformersDoToo(t *testing.T) {
	Run(t, counted, Seed(3), Controller("mine", func(ctx context.Context, clients controllers.Clients) error {
		return podcounter.Run(ctx, clients.Client, podcounter.Options{})
	}))
}

// TestTheHashIsThatOfTheSeed runs the same scenario several times in one process: a simulation before it must not
// change anything.
func TestTheHashIsThatOfTheSeed(t *testing.T) {
	hashes := map[string]bool{}
	for range 5 {
		hashes[Run(t, counted, Controller("mine", runPodcounter)).Outcome.TraceHash] = true
	}
	if len(hashes) != 1 {
		t.Errorf("one seed gives %d hashes", len(hashes))
	}
}

// reported is a test that keeps what Run says instead of failing.
type reported struct {
	testing.TB
	said []string
}

func (r *reported) Helper()                   {}
func (r *reported) Error(a ...any)            { r.said = append(r.said, a[0].(string)) }
func (r *reported) Errorf(f string, a ...any) { r.said = append(r.said, f+" "+a[0].(string)) }
func (r *reported) Fatal(a ...any) {
	r.Error(a...)
	panic(r)
}

// said runs a scenario and returns what the test would be told.
func said(t *testing.T, scenario string, options ...Option) string {
	return told(t, func(tb testing.TB) { Run(tb, scenario, options...) })
}

// told returns what a test would be told.
func told(t *testing.T, test func(tb testing.TB)) (all string) {
	r := &reported{TB: t}
	defer func() {
		if value := recover(); value != nil && value != any(r) {
			panic(value)
		}
		all = strings.Join(r.said, "\n")
	}()
	test(r)
	return ""
}

// refused creates an object in a namespace that does not exist.
const refused = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: refused}
spec:
  title: A namespace that does not exist
  steps:
  - create: |
      {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: nowhere}}
`

func TestWhatATestIsTold(t *testing.T) {
	for _, test := range []struct {
		name, scenario, want string
		run                  controllers.Custom
	}{
		{"failed check", counted, "check %s: %s\n%s counted", func(context.Context, controllers.Clients) error { return nil }},
		{"fault", counted, "controller mine gave up: no such thing\nTry: mine is your controller",
			func(context.Context, controllers.Clients) error { return errors.New("no such thing") }},
		{"a controller that cannot run", counted, "controller mine does not start\nTry: another\n",
			func(context.Context, controllers.Clients) error {
				return &controllers.Error{Controller: "mine", Problem: "does not start", Try: "another"}
			}},
		{"no scenario", "no-such-scenario", "no such file", nil},
		{"wrong scenario", "kind: Scenario\n", "scenario.yaml", nil},
		{"a step that is refused", refused, "Try: fails: NotFound next to create, if you expect the failure", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var options []Option
			if test.run != nil {
				options = append(options, Controller("mine", test.run))
			}
			if got := said(t, test.scenario, options...); !strings.Contains(got, test.want) {
				t.Errorf("the test is told %q, want %q in it", got, test.want)
			}
		})
	}
}

// broken are controllers that nothing in the process can stop.
var broken = map[string]controllers.Custom{
	"spins": func(context.Context, controllers.Clients) error {
		for {
		}
	},
	"waits for a mutex": func(ctx context.Context, clients controllers.Clients) error {
		var mu sync.Mutex
		mu.Lock()
		go func() {
			time.Sleep(time.Second)
			mu.Unlock()
		}()
		mu.Lock()
		return podcounter.Run(ctx, clients.Client, podcounter.Options{Informers: clients.Informers})
	},
	"listens on a port": func(context.Context, controllers.Clients) error {
		port, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		_, err = port.Accept()
		return err
	},
	"panics where nobody catches it": func(ctx context.Context, _ controllers.Clients) error {
		go func() { panic("boom") }()
		<-ctx.Done()
		return nil
	},
	"panics in a worker": func(ctx context.Context, _ controllers.Clients) error {
		wait.UntilWithContext(ctx, func(context.Context) { panic("boom") }, time.Second)
		return nil
	},
}

// broke is the end of a process, and what it says.
type broke struct {
	name string
	code int
	want []string
}

// TestAControllerThatCannotBeStopped breaks a process of its own each time: that is this test again, with
// the name of what is to break in the environment.
func TestAControllerThatCannotBeStopped(t *testing.T) {
	const variable = "KUBESTEP_TEST_BREAKS"
	if name := os.Getenv(variable); name != "" {
		Run(t, counted, Patience(500*time.Millisecond), Controller("mine", broken[name]))
		return
	}
	// In the exact build, virtual time passes meanwhile.
	mutex := broke{"waits for a mutex", 0, []string{"PASS"}}
	if !exact.Enabled() {
		mutex.code, mutex.want = 3, []string{"frozen simulation", "held up by mine", "waits for a mutex", "the exact build (make build)",
			"sync.Mutex.Lock", "Try: look at the code of mine"}
	}
	for _, test := range []broke{
		mutex,
		{"spins", 3, []string{"frozen simulation", "held up by mine", "Try: look at the code of mine"}},
		{"listens on a port", 3, []string{"held up by mine, which listens on a port", "Try: serve webhooks with Clients.ServeWebhooks"}},
		// Go ends the process itself, with its own exit code. Its traceback has the name.
		{"panics where nobody catches it", 2, []string{"panic: boom", `labels:{"actor": "mine"}`}},
		{"panics in a worker", 1, []string{"controller mine panicked: boom, in github.com/kubestep/kubestep/scenarios/scenariotest.init", "Try: mine is your controller"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			child := exec.Command(os.Args[0], "-test.run=^TestAControllerThatCannotBeStopped$")
			child.Env = append(os.Environ(), variable+"="+test.name)
			out, err := child.CombinedOutput()
			if code := child.ProcessState.ExitCode(); code != test.code {
				t.Errorf("exit code %d, want %d (%v)", code, test.code, err)
			}
			for _, want := range test.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("%q is not said:\n%s", want, out)
				}
			}
		})
	}
}
