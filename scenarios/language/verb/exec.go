package verb

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// execRow is kubectl exec without a terminal.
var execRow = Row{
	Syntax: format.Syntax{
		Of: new(Exec),
		Doc: "Runs a command in a container, as kubectl exec does. It needs upstream's kubelet (kubernetes.kubelet). The trace has the " +
			"begin of what the command prints, also if it prints a Secret. The step fails if the container does not run, if the kubelet of its " +
			"node does not answer, and if the command ends with another exit code.",
		Example: `- exec: {pod: pod/web-0, command: [touch, /tmp/ready]}
# It has to fail, and not with 0.
- exec: {pod: shop/pod/web-1, container: web, command: [sh, -c, 'test -e /tmp/ready'], exitCode: 1}
`,
	},
}

// Exec is a command in a container.
type Exec struct {
	Pod        string             `yaml:"pod" required:"true" example:"pod/web-0" doc:"pod/NAME or NAMESPACE/pod/NAME."`
	Container  string             `yaml:"container,omitempty" format:"name" example:"web" doc:"Container of the Pod. Default: that of the annotation kubectl.kubernetes.io/default-container, or the first one."`
	Command    []string           `yaml:"command" required:"true" example:"[touch, /tmp/ready]" doc:"Command and its arguments. No shell reads it."`
	ExitCode   int                `yaml:"exitCode,omitempty" min:"0" max:"255" example:"1" doc:"Exit code that the command has to end with. Default 0."`
	Timeout    *notation.Duration `yaml:"timeout,omitempty" example:"5m" doc:"Time in which the command has to end. Default 1m."`
	Background bool               `yaml:"background,omitempty" doc:"Continue with the next step at once. The exit code does not matter then."`

	streams Streams
}

// Streams receive what a command prints, and Ended is called with its exit code, or with the error that keeps it from running. They are
// called in the simulation.
type Streams struct {
	Stdout, Stderr io.Writer
	Ended          func(code int, err error)
}

// Streamer is a verb whose output a session can read.
type Streamer interface{ Stream(Streams) }

// execTimeout is the default of timeout.
const execTimeout = time.Minute

// Execution is the verb of a client outside that runs a command in a container.
func Execution(namespace, pod, container string, command []string) Verb {
	return &Exec{Pod: namespace + "/pod/" + pod, Container: container, Command: command, Background: true}
}

// Keyword implements format.Verb.
func (*Exec) Keyword() string { return "exec" }

// Creates implements format.Creator.
func (*Exec) Creates() {}

// Role implements format.Verb.
func (*Exec) Role() format.Role { return format.Change }

// String implements format.Verb.
func (e *Exec) String() string {
	text := e.Pod
	if e.Container != "" {
		text += " -c " + e.Container
	}
	return text + " -- " + strings.Join(e.Command, " ")
}

// Check implements format.Verb.
func (e *Exec) Check(c *format.Checker) {
	c.Target("pod", e.Pod, "is not a Pod", has("eviction"))
	switch {
	case !c.Scenario().RunsKubelets():
		c.Fail("", "kubernetes: {kubelet: "+format.UpstreamKubelet+"}", "the stand-in of the kubelet runs no container")
	case e.Background && c.IsWritten("exitCode"):
		c.Fail("exitCode", "remove background", "the exit code of a command in the background does not matter")
	case e.Background && c.IsWritten("timeout"):
		c.Fail("timeout", "remove background", "a step in the background does not wait")
	}
}

// Stream implements Streamer.
func (e *Exec) Stream(s Streams) { e.streams = s }

// Foresee implements Foreseer: the container must run.
func (e *Exec) Foresee(table *kinds.Table, state *sim.State) error {
	_, err := e.find(table, state)
	return err
}

// place is the container that a command runs in.
type place struct {
	pod      *corev1.Pod
	name, id string
}

// find finds the container.
func (e *Exec) find(table *kinds.Table, state *sim.State) (at place, err error) {
	target, err := notation.ParseTarget(table, e.Pod)
	if err != nil {
		return at, err
	}
	object, found := state.Get(corev1.Resource("pods"), target.Namespace, target.Name)
	if !found {
		return at, fmt.Errorf("there is no pod %s/%s", target.Namespace, target.Name)
	}
	pod := object.(*corev1.Pod)
	name := cmp.Or(e.Container, pod.Annotations[defaultContainer], pod.Spec.Containers[0].Name)
	for _, all := range [][]corev1.ContainerStatus{
		pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses, pod.Status.EphemeralContainerStatuses,
	} {
		for _, c := range all {
			if _, id, has := strings.Cut(c.ContainerID, "://"); c.Name == name && c.State.Running != nil && has {
				return place{pod, name, id}, nil
			}
		}
	}
	return at, fmt.Errorf("container %s of pod %s/%s does not run", name, target.Namespace, target.Name)
}

// defaultContainer is the annotation that kubectl reads (k8s.io/kubectl/pkg/cmd/util/podcmd).
const defaultContainer = "kubectl.kubernetes.io/default-container"

// Do implements Verb.
func (e *Exec) Do(ctx context.Context, w World) error {
	var at place
	var err error
	var runtime *cri.Runtime
	w.Simulation().Engine.Call("scenario|exec|"+format.StepPath(w.Step()), func() {
		if at, err = e.find(w.Scenario().Kinds(), w.Simulation().State); err == nil {
			if server, answers := w.Processes().KubeletServer(at.pod.Spec.NodeName); answers {
				runtime = server.Runtime
			}
		}
	})
	switch {
	case err != nil:
		return e.unmet("%v", err)
	case runtime == nil:
		return e.unmet("the kubelet of node %s does not answer", at.pod.Spec.NodeName)
	}
	ended := make(chan result, 1)
	w.Simulation().Go(User, func(ctx context.Context) { ended <- e.run(ctx, w, runtime, at) })
	if e.Background {
		return nil
	}
	timeout := execTimeout
	if e.Timeout != nil {
		timeout = e.Timeout.Duration
	}
	limit, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	select {
	case <-limit.Done():
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return late("exec %s: the command has not ended after %s", e, timeout)
	case r := <-ended:
		return e.judge(w, r)
	}
}

// unmet is an error because of what the cluster is like when the step is taken, or of what the command finds: a fault may be why.
func (e *Exec) unmet(problem string, args ...any) error {
	return unmet("exec %s: %s", e, fmt.Sprintf(problem, args...))
}

// result is how a command ended.
type result struct {
	code int
	err  error
	// unknown means that the program of the container does not have the command.
	unknown bool
}

// judge returns an error if a command ended in another way than it has to.
func (e *Exec) judge(w World, r result) error {
	switch {
	case r.unknown:
		return w.Scenario().Errorf(path(w, "command"), "a command that the program of the image has", "%v", r.err)
	case r.err != nil:
		return e.unmet("%v", r.err)
	case r.code != e.ExitCode:
		return e.unmet("the command ended with exit code %d, not %d", r.code, e.ExitCode)
	}
	return nil
}

// run runs the command in the container, and records how it ended and what it printed.
func (e *Exec) run(ctx context.Context, w World, runtime *cri.Runtime, at place) (r result) {
	var out printed
	stdout, stderr := out.and(e.streams.Stdout), out.and(e.streams.Stderr)
	var isProgram bool
	r.code, isProgram, r.err = runtime.Run(ctx, at.id, e.Command, nil, stdout, stderr)
	if !isProgram && r.err == nil {
		r = e.ask(ctx, runtime, at.id, stdout)
	}
	fact := &trace.Exec{Command: e.Command, Code: r.code, Output: out.begin()}
	if r.err != nil {
		fact.Error = r.err.Error()
	}
	w.Simulation().Engine.Call("scenario|exec|ended|"+format.StepPath(w.Step()), func() {
		w.Simulation().Recorder.Emit(&trace.Record{
			Kind: trace.KindContainer, Actor: controllers.KubeletActor(at.pod.Spec.NodeName), Cause: w.Cause(),
			Container: &trace.Container{
				Object: trace.Object{Resource: "pods", Namespace: at.pod.Namespace, Name: at.pod.Name}, UID: string(at.pod.UID),
				Container: at.name, Exec: fact,
			},
		})
	})
	if e.streams.Ended != nil {
		e.streams.Ended(r.code, r.err)
	}
	return r
}

// ask runs a command of a program that is data.
func (e *Exec) ask(ctx context.Context, runtime *cri.Runtime, id string, stdout io.Writer) (r result) {
	answer, found, err := runtime.Command(id, e.Command)
	switch {
	case err != nil:
		return result{err: err}
	case !found:
		return result{err: fmt.Errorf("exec: %q: executable file not found in $PATH", e.Command[0]), unknown: true}
	case answer.Hangs:
		<-ctx.Done()
		return result{err: ctx.Err()}
	case answer.Body != "":
		_, _ = io.WriteString(stdout, strings.TrimSuffix(answer.Body, "\n")+"\n")
	}
	return result{code: answer.Code}
}

// printedBytes is how much of a command's output is recorded: a trace is no place for files.
const printedBytes = 4 << 10

// printed keeps the first bytes that a command prints.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// and returns a writer that keeps what is written, and passes it on to another one if that is not nil.
func (p *printed) and(other io.Writer) io.Writer {
	if other == nil {
		return p
	}
	return io.MultiWriter(p, other)
}

// Write implements io.Writer.
func (p *printed) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text.Write(data[:min(len(data), max(0, printedBytes-p.text.Len()))])
	return len(data), nil
}

// begin is the begin of the output as text, without the end of its last line.
func (p *printed) begin() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.ToValidUTF8(strings.TrimSuffix(p.text.String(), "\n"), "\uFFFD")
}
