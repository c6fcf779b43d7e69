package branch

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios"
)

// Command is something that a branch can do, as it is typed on one line.
type Command struct {
	// Name is the verb, Args what follows it, and About what it does.
	Name, Args, About string
}

// Commands lists what can be typed.
var Commands = []Command{
	{"scale", "KIND/NAME N", "set the number of Pods"},
	{"set-image", "KIND/NAME [CONTAINER=]IMAGE", "give the Pods a new image"},
	{"delete", "KIND/NAME", "delete an object, such as a Pod"},
	{"evict", "pod/NAME", "as kubectl drain does with each Pod"},
	{"rollout", "undo|pause|resume|restart KIND/NAME", "as kubectl rollout"},
	{"node", "fail|partition|recover NAME", "a node loses its power, or the network, or has it again"},
	{"controller", "crash|restart|pause|resume NAME", "a process with controllers ends at once, starts anew, stands still or goes on"},
	{"fail", "VERB RESOURCE REASON", "refuse the next such request: update deployments Conflict"},
	{"hold", "VERB RESOURCE DURATION", "keep such requests for a while: create pods 10s; watch pods 10s keeps what watches tell"},
	{"disconnect", "RESOURCE", "the watches of a kind end, and the caches are filled anew"},
	{"step", "{VERB: ...}", "any step of a scenario, as YAML"},
}

// Parse reads a command: "scale deployment/web 5". Every verb of a scenario can be written as YAML behind step.
func Parse(line string) (scenarios.Step, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	if name == "step" {
		return parseStep(rest)
	}
	args := strings.Fields(rest)
	for _, c := range Commands {
		if c.Name != name {
			continue
		}
		if want := len(strings.Fields(c.Args)); len(args) != want {
			return scenarios.Step{}, fmt.Errorf("%s needs %s", name, c.Args)
		}
		return parseArgs(c, args)
	}
	return scenarios.Step{}, fmt.Errorf("unknown command %q: %s", name, strings.Join(names(), ", "))
}

func names() []string {
	var names []string
	for _, c := range Commands {
		names = append(names, c.Name)
	}
	return names
}

func parseArgs(c Command, args []string) (step scenarios.Step, err error) {
	switch c.Name {
	case "scale":
		n, err := strconv.ParseInt(args[1], 10, 32)
		if err != nil || n < 0 {
			return step, fmt.Errorf("%q is no number of Pods", args[1])
		}
		step.Scale = &scenarios.Scale{Target: args[0], Replicas: int32(n)}
	case "set-image":
		step.SetImage = &scenarios.SetImage{Target: args[0], Image: args[1]}
		if container, image, ok := strings.Cut(args[1], "="); ok {
			step.SetImage.Container, step.SetImage.Image = container, image
		}
	case "delete":
		step.Delete = &scenarios.Delete{Target: args[0]}
	case "evict":
		step.Evict = args[0]
	case "fail":
		step.Fault = &scenarios.FaultRule{Request: requestOf(args), Fail: args[2], Times: 1}
	case "hold":
		length, err := time.ParseDuration(args[2])
		if err != nil || length <= 0 {
			return step, fmt.Errorf("%q is no duration, such as 10s", args[2])
		}
		step.Fault = &scenarios.FaultRule{Hold: true, For: &scenarios.Duration{Duration: length}}
		if args[0] == "watch" {
			step.Fault.Watch = &scenarios.FaultWatch{Resource: args[1]}
		} else {
			step.Fault.Request = requestOf(args)
		}
	case "disconnect":
		step.Fault = &scenarios.FaultRule{Watch: &scenarios.FaultWatch{Resource: args[0]}, Expire: true}
	case "rollout":
		step.Rollout = &scenarios.Rollout{}
		err = put(c, args, map[string]*string{
			"undo": &step.Rollout.Undo, "pause": &step.Rollout.Pause, "resume": &step.Rollout.Resume, "restart": &step.Rollout.Restart,
		})
	case "node":
		step.Node = &scenarios.NodeFault{}
		err = put(c, args, map[string]*string{
			"fail": &step.Node.Fail, "partition": &step.Node.Partition, "recover": &step.Node.Recover,
		})
	case "controller":
		step.Controller = &scenarios.ControllerFault{}
		err = put(c, args, map[string]*string{
			"crash": &step.Controller.Crash, "restart": &step.Controller.Restart,
			"pause": &step.Controller.Pause, "resume": &step.Controller.Resume,
		})
	}
	if err != nil {
		return step, err
	}
	return step, check(step)
}

// put sets the field that the first argument names to the second one.
func put(c Command, args []string, fields map[string]*string) error {
	field := fields[args[0]]
	if field == nil {
		return fmt.Errorf("%s %s: it is %s %s", c.Name, args[0], c.Name, c.Args)
	}
	*field = args[1]
	return nil
}

func requestOf(args []string) *scenarios.FaultRequest {
	return &scenarios.FaultRequest{Verb: args[0], Resource: args[1]}
}

// parseStep reads a step as it stands in a scenario.
func parseStep(text string) (scenarios.Step, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "- "))
	if text == "" {
		return scenarios.Step{}, fmt.Errorf("step needs a step, such as {scale: {target: deployment/web, replicas: 3}}")
	}
	s, err := scenarios.Parse("step", []byte(fileOf("- "+text)))
	if err != nil {
		return scenarios.Step{}, plainError(err)
	}
	if len(s.Spec.Steps) != 1 {
		return scenarios.Step{}, fmt.Errorf("step needs one step, such as {scale: {target: deployment/web, replicas: 3}}")
	}
	return s.Spec.Steps[0], nil
}

func fileOf(steps string) string {
	return "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: step}\nspec:\n  title: step\n  steps:\n  " + steps + "\n"
}

// check finds what the scenario format does not allow, such as a target of an unknown kind.
func check(step scenarios.Step) error {
	s, err := scenarios.Parse("step", []byte(fileOf("- note: none")))
	if err != nil {
		return err
	}
	s.Spec.Steps = []scenarios.Step{step}
	if _, err := reread(s); err != nil {
		return plainError(err)
	}
	return nil
}

// plainError leaves out the place in a file that nobody has written.
func plainError(err error) error {
	list, ok := err.(scenarios.ErrorList)
	if !ok || len(list) == 0 {
		return err
	}
	_, field, _ := strings.Cut(list[0].Path, "steps[0].")
	text := strings.TrimSpace(field + " " + list[0].Message)
	if list[0].Try != "" {
		text += " (try: " + list[0].Try + ")"
	}
	return fmt.Errorf("%s", text)
}
