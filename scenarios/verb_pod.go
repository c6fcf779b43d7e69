package scenarios

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubestep/kubestep/sim/node"
)

// does lists what happens to which Pods; the loader lets only one through.
func (p *PodTrouble) does() (found []node.PodFault, target string) {
	for _, field := range []struct {
		trouble node.PodFault
		target  string
	}{
		{node.Fails, p.Fail}, {node.CrashLoops, p.CrashLoop}, {node.Unready, p.Unready}, {node.Hangs, p.Hang},
		{node.Recovers, p.Recover},
	} {
		if field.target != "" {
			found, target = append(found, field.trouble), field.target
		}
	}
	return found, target
}

func podText(p *PodTrouble) string {
	found, target := p.does()
	text := string(found[0]) + " " + target
	if p.Selector != "" {
		text += " -l " + p.Selector
	}
	if p.Count > 0 {
		text += fmt.Sprintf(" (%d of them)", p.Count)
	}
	return text
}

// podTrouble lets something happen to Pods.
func podTrouble(_ context.Context, r *run, i int, st Step) error {
	found, _ := st.Pod.does()
	exitCode := int32(max(st.Pod.ExitCode, 1))
	cause := r.taskSeq()
	var err error
	r.sim.Engine.Call("scenario|pod|"+StepPath(i), func() {
		var pods []Target
		if pods, err = r.troubled(st.Pod); err != nil {
			return
		}
		for _, pod := range pods {
			if err = r.kubelets.InjectFault(pod.Namespace, pod.Name, found[0], exitCode, cause()); err != nil {
				return
			}
		}
	})
	if err != nil {
		return r.scenario.Errorf(StepPath(i)+".pod", "a wait in front of it", "%v", err)
	}
	return nil
}

// troubled are the Pods that a step is about.
func (r *run) troubled(p *PodTrouble) ([]Target, error) {
	_, text := p.does()
	if p.Selector == "" {
		target, err := ParseTarget(text)
		return []Target{target}, err
	}
	kind, err := ParseTargetKind(text)
	if err != nil {
		return nil, err
	}
	selector, err := labels.Parse(p.Selector)
	if err != nil {
		return nil, err
	}
	var pods []Target
	for _, obj := range r.sim.State.List(corev1.Resource("pods"), kind.Namespace) {
		pod := obj.(*corev1.Pod)
		if selector.Matches(labels.Set(pod.Labels)) && (p.Count == 0 || len(pods) < p.Count) {
			pods = append(pods, Target{Resource: "pods", Namespace: pod.Namespace, Name: pod.Name})
		}
	}
	if len(pods) == 0 {
		return nil, fmt.Errorf("no pod in %s matches %s", kind.Namespace, p.Selector)
	}
	return pods, nil
}

// podTrouble wants one thing that happens, to Pods that are named or selected.
func (v *validator) podTrouble(path string, p PodTrouble) {
	found, target := p.does()
	switch {
	case len(found) == 0 && !v.failed[path]:
		v.fail(path, "{fail: pod/NAME}, or crashLoop, unready, hang or recover", "pod needs what happens to it")
	case len(found) > 1:
		v.fail(joinPath(path, string(found[1])), "make two steps of them",
			"one thing happens to a pod, and this one has %s already", found[0])
	case len(found) == 1 && p.Selector == "":
		at := joinPath(path, string(found[0]))
		_, err := ParseTarget(target)
		if _, kindErr := ParseTargetKind(target); err != nil && kindErr == nil {
			err = problem(strings.TrimSuffix(target, "s")+"/NAME, or add selector", "target %q has no name", target)
			v.failErr(at, err)
			break
		}
		v.target(at, target, "is no pod", has("eviction"))
	case len(found) == 1:
		kind, err := ParseTargetKind(target)
		if err == nil {
			err = kind.oneOf("is no pod", has("eviction"))
		}
		v.failErr(joinPath(path, string(found[0])), err)
		v.selector(path+".selector", p.Selector)
	}
	if p.Count > 0 && p.Selector == "" {
		v.fail(path+".count", "selector: app=web", "count needs selector")
	}
	if p.ExitCode > 0 && p.Fail == "" {
		v.fail(path+".exitCode", "fail: pod/NAME", "exitCode needs fail")
	}
}
