package verb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// podRow is something that happens to Pods by themselves.
var podRow = Row{
	Syntax: format.Syntax{
		Of: new(Pod),
		Doc: "Makes Pods fail, crash, hang or recover. The step fails if no Pod matches, or fewer than count, and if a Pod that has to " +
			"run does not.",
		Example: `- pod: {fail: pod/web-0, exitCode: 137}
# One of those that the labels select.
- pod: {crashLoop: pod, selector: app=web, count: 1}
- pod: {unready: shop/pod, selector: app=web}
# It stays Terminating until it recovers.
- pod: {hang: pod/web-1}
- after: 5m
  pod: {recover: pod/web-1}
`,
	},
	Commands: []Command{{
		Name: "pod", Args: "fail|crashLoop|unready|hang|recover pod/NAME",
		About: "a Pod fails, crashes again and again, is not Ready, does not end, or is all right again", Parse: parsePod,
		Complete: []Completion{words("fail", "crashLoop", "unready", "hang", "recover"), objects(has("eviction"))},
	}},
}

// Pod is a fault of Pods.
type Pod struct {
	Fail      string `yaml:"fail,omitempty" example:"pod/web-0" doc:"Pod whose containers exit with an exit code and are not restarted: its phase becomes Failed. Here and below: pod/NAME, NAMESPACE/pod/NAME, or pod or NAMESPACE/pod together with selector."`
	CrashLoop string `yaml:"crashLoop,omitempty" example:"pod/web-0" doc:"Pod whose containers crash one second after each start. The kubelet restarts them immediately, then after 10s, 20s and so on, up to 5m. With restartPolicy Never, the Pod fails."`
	Unready   string `yaml:"unready,omitempty" example:"pod/web-0" doc:"Pod that keeps running but is not Ready any more."`
	Hang      string `yaml:"hang,omitempty" example:"pod/web-0" doc:"Pod that does not stop when it is deleted: it stays Terminating."`
	Recover   string `yaml:"recover,omitempty" example:"pod/web-0" doc:"Pod that recovers after crashLoop, unready or hang."`

	Selector string `yaml:"selector,omitempty" example:"app=web" doc:"Label selector of the Pods."`
	Count    int    `yaml:"count,omitempty" min:"1" example:"1" doc:"With selector: number of Pods, in the order of their names. Default: all."`
	ExitCode int    `yaml:"exitCode,omitempty" min:"1" max:"255" doc:"With fail: exit code of the containers. Default 1."`
}

// Keyword implements format.Verb.
func (*Pod) Keyword() string { return "pod" }

// Role implements format.Verb.
func (*Pod) Role() format.Role { return format.Fault }

// what lists what happens to which Pods; Check lets only one through.
func (p *Pod) what() (found []node.PodFault, target string) {
	for _, field := range []struct {
		fault  node.PodFault
		target string
	}{
		{node.Fails, p.Fail}, {node.CrashLoops, p.CrashLoop}, {node.Unready, p.Unready}, {node.Hangs, p.Hang},
		{node.Recovers, p.Recover},
	} {
		if field.target != "" {
			found, target = append(found, field.fault), field.target
		}
	}
	return found, target
}

// String implements format.Verb.
func (p *Pod) String() string {
	found, target := p.what()
	text := string(found[0]) + " " + target
	if p.Selector != "" {
		text += " -l " + p.Selector
	}
	if p.Count > 0 {
		text += fmt.Sprintf(" (%d of them)", p.Count)
	}
	return text
}

// Check implements format.Verb: it requires exactly one fault, and Pods that are named or selected.
func (p *Pod) Check(c *format.Checker) {
	found, target := p.what()
	switch {
	case len(found) == 0 && !c.HasFailed(""):
		c.Fail("", "one of fail, crashLoop, unready, hang, recover", "a pod step needs a field that says what happens to the Pods")
	case len(found) > 1:
		c.Fail(string(found[1]), "split it into two steps",
			"a pod step does only one thing, and this one already has %s", found[0])
	case len(found) == 1 && p.Selector == "":
		_, err := notation.ParseTarget(c.Scenario().Kinds(), target)
		if _, kindErr := notation.ParseTargetKind(c.Scenario().Kinds(), target); err != nil && kindErr == nil {
			err = source.Problem(strings.TrimSuffix(target, "s")+"/NAME, or add selector", "target %q has no name", target)
			c.FailErr(string(found[0]), err)
			break
		}
		c.Target(string(found[0]), target, "is not a Pod", has("eviction"))
	case len(found) == 1:
		kind, err := notation.ParseTargetKind(c.Scenario().Kinds(), target)
		if err == nil {
			err = kind.OneOf("is not a Pod", has("eviction"))
		}
		c.FailErr(string(found[0]), err)
		c.Selector("selector", p.Selector)
	}
	if p.Count > 0 && p.Selector == "" {
		c.Fail("count", "selector: app=web", "count needs selector")
	}
	if p.ExitCode > 0 && p.Fail == "" {
		c.Fail("exitCode", "fail: pod/NAME", "exitCode needs fail")
	}
}

// Do implements Verb.
func (p *Pod) Do(_ context.Context, w World) error {
	found, _ := p.what()
	exitCode := int32(max(p.ExitCode, 1))
	var err error
	w.Simulation().Engine.Call("scenario|pod|"+format.StepPath(w.Step()), func() {
		var pods []notation.Target
		if pods, err = p.pods(w.Scenario().Kinds(), w.Simulation().State); err != nil {
			return
		}
		for _, pod := range pods {
			if err = w.Kubelets().InjectFault(pod.Namespace, pod.Name, found[0], exitCode, w.Cause()); err != nil {
				return
			}
		}
	})
	var missing *node.NotRunningError
	switch {
	case errors.As(err, &missing):
		// A fault may be why: that is for the verdict, and no mistake in the file.
		return unmet("pod %s: %v", p, err)
	case err != nil:
		return w.Scenario().Errorf(path(w), "another fault, or another Pod", "%v", err)
	}
	return nil
}

// Foresee implements Foreseer: there must be the Pods.
func (p *Pod) Foresee(table *kinds.Table, state *sim.State) error {
	pods, err := p.pods(table, state)
	if err != nil {
		return err
	}
	for _, pod := range pods {
		if _, found := state.Get(corev1.Resource("pods"), pod.Namespace, pod.Name); !found {
			return node.NoPod(pod.Namespace, pod.Name)
		}
	}
	return nil
}

// pods are the Pods that the step is about.
func (p *Pod) pods(table *kinds.Table, state *sim.State) ([]notation.Target, error) {
	_, text := p.what()
	if p.Selector == "" {
		target, err := notation.ParseTarget(table, text)
		return []notation.Target{target}, err
	}
	kind, err := notation.ParseTargetKind(table, text)
	if err != nil {
		return nil, err
	}
	selector, err := labels.Parse(p.Selector)
	if err != nil {
		return nil, err
	}
	var pods []notation.Target
	for _, obj := range state.List(corev1.Resource("pods"), kind.Namespace) {
		pod := obj.(*corev1.Pod)
		if selector.Matches(labels.Set(pod.Labels)) && (p.Count == 0 || len(pods) < p.Count) {
			pods = append(pods, notation.NewTarget(kind.Kind(), pod.Namespace, pod.Name))
		}
	}
	if len(pods) == 0 {
		return nil, &node.NotRunningError{Message: fmt.Sprintf("no pod in %s matches %s", kind.Namespace, p.Selector)}
	}
	if len(pods) < p.Count {
		return nil, &node.NotRunningError{Message: fmt.Sprintf("%s in %s match %s, not %d",
			trace.Count(len(pods), "Pod"), kind.Namespace, p.Selector, p.Count)}
	}
	return pods, nil
}

func parsePod(args []string) (Verb, error) {
	p := &Pod{}
	return p, choose(args, map[string]*string{
		"fail": &p.Fail, "crashLoop": &p.CrashLoop, "unready": &p.Unready, "hang": &p.Hang, "recover": &p.Recover,
	})
}
