package verb

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/trace"
)

// controllerRow is something that happens to a process with controllers.
var controllerRow = Row{
	Syntax: format.Syntax{
		Of:  new(Controller),
		Doc: "Crashes, restarts, pauses or resumes a process with controllers.",
		Example: `- controller: {crash: kube-controller-manager, restartAfter: 10s}
- after: 1m
  controller: {restart: kube-controller-manager}
# A garbage collection that takes too long, or a node that hangs.
- after: 1m
  controller: {pause: kube-controller-manager}
- after: 20s
  controller: {resume: kube-controller-manager}
`,
	},
	Commands: []Command{{
		Name: "controller", Args: "crash|restart|pause|resume NAME",
		About: "crash, restart, pause or resume a process with controllers", Parse: parseController,
		Complete: []Completion{words("crash", "restart", "pause", "resume"), processes},
	}},
}

// Controller is an operation on a process with controllers.
type Controller struct {
	Crash   string `yaml:"crash,omitempty" format:"name" example:"kube-controller-manager-1" doc:"Process that stops immediately: it sends no more requests and does not release its lease. One of kube-controller-manager, kube-controller-manager-N with kubernetes.replicas, kube-scheduler, kube-scheduler-N with kubernetes.schedulerReplicas, kubelet-NODE with kubernetes.kubelet: kubelet, and spec.controllers."`
	Restart string `yaml:"restart,omitempty" format:"name" example:"kube-controller-manager" doc:"Process that stops, if it still runs, and starts again: its queues, caches and expectations are lost."`
	Pause   string `yaml:"pause,omitempty" format:"name" example:"kube-controller-manager-1" doc:"Process that stops executing, as after SIGSTOP: nothing that it sends arrives, and it receives nothing. Its leases expire."`
	Resume  string `yaml:"resume,omitempty" format:"name" example:"kube-controller-manager-1" doc:"Paused process that continues."`

	After *notation.Duration `yaml:"restartAfter,omitempty" example:"10s" doc:"With crash: delay until the process starts again. Default: never."`
}

// Keyword implements format.Verb.
func (*Controller) Keyword() string { return "controller" }

// Role implements format.Verb.
func (*Controller) Role() format.Role { return format.Fault }

// what says what happens to which process.
func (f *Controller) what() (what, process string) {
	for _, field := range []struct{ what, process string }{
		{"crash", f.Crash}, {"restart", f.Restart}, {"pause", f.Pause}, {"resume", f.Resume},
	} {
		if field.process != "" {
			return field.what, field.process
		}
	}
	return "", ""
}

// String implements format.Verb.
func (f *Controller) String() string {
	what, process := f.what()
	return what + " " + process
}

// Check implements format.Verb.
func (f *Controller) Check(c *format.Checker) {
	c.One(f, "process", "{crash: kube-controller-manager}, or restart, pause or resume")
	if f.After != nil && f.Crash == "" && !c.HasFailed("") {
		c.Fail("restartAfter", "crash: kube-controller-manager", "restartAfter needs crash")
	}
}

// Probe implements Prober: the process must exist.
func (f *Controller) Probe(p Prospect) error {
	if what, name := f.what(); !slices.Contains(p.Processes, name) {
		return p.Scenario.Errorf(format.StepPath(p.Step)+".controller."+what, spelling.Among(name, p.Processes),
			"unknown process %q", name)
	}
	return nil
}

// Do implements Verb.
func (f *Controller) Do(_ context.Context, w World) error {
	switch {
	case f.Restart != "":
		return w.Processes().Restart(f.Restart, w.Cause)
	case f.Pause != "":
		return w.Processes().Pause(f.Pause, w.Cause)
	case f.Resume != "":
		return w.Processes().Resume(f.Resume, w.Cause)
	}
	after := time.Duration(0)
	if f.After != nil {
		after = f.After.Duration
	}
	return w.Processes().Crash(f.Crash, after, w.Cause)
}

// ControllerOf is the operation of which a trace says that a user did it: it reads what String has written. It is nil for other actions.
func ControllerOf(action *trace.Action) *Controller {
	f := &Controller{}
	args := strings.Fields(action.Text)
	if action.Verb != f.Keyword() || len(args) != 2 || choose(args, f.fields()) != nil {
		return nil
	}
	return f
}

// fields are those that name a process, by their words.
func (f *Controller) fields() map[string]*string {
	return map[string]*string{"crash": &f.Crash, "restart": &f.Restart, "pause": &f.Pause, "resume": &f.Resume}
}

func parseController(args []string) (Verb, error) {
	f := &Controller{}
	return f, choose(args, f.fields())
}
