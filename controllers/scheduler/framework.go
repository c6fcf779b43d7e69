package scheduler

import (
	"cmp"
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// observedFramework is the framework of a profile, which runs its plugins. It records their verdicts. Plugins that try something
// out, such as preemption, use upstream's own framework, so what they try is not recorded.
type observedFramework struct {
	framework.Framework
	observer *observer
}

// RunPreFilterPlugins implements framework.Framework. Here plugins may reject a Pod for all nodes at once.
func (f *observedFramework) RunPreFilterPlugins(
	ctx context.Context, state fwk.CycleState, pod *corev1.Pod,
) (*preFilterResult, *fwk.Status, sets.Set[string]) {
	result, status, plugins := f.Framework.RunPreFilterPlugins(ctx, state, pod)
	if status.IsRejected() {
		f.observer.of(pod).reject("", status)
	}
	return result, status, plugins
}

// RunFilterPluginsWithNominatedPods implements framework.Framework. The first plugin that rejects a node decides.
func (f *observedFramework) RunFilterPluginsWithNominatedPods(
	ctx context.Context, state fwk.CycleState, pod *corev1.Pod, node fwk.NodeInfo,
) *fwk.Status {
	status := f.Framework.RunFilterPluginsWithNominatedPods(ctx, state, pod, node)
	if !status.IsSuccess() {
		f.observer.of(pod).reject(node.Node().Name, status)
	}
	return status
}

// RunScorePlugins implements framework.Framework.
func (f *observedFramework) RunScorePlugins(
	ctx context.Context, state fwk.CycleState, pod *corev1.Pod, nodes []fwk.NodeInfo,
) ([]nodePluginScores, *fwk.Status) {
	scores, status := f.Framework.RunScorePlugins(ctx, state, pod, nodes)
	if status.IsSuccess() {
		f.observer.of(pod).score(scores)
	}
	return scores, status
}

// hinted notes the node on which a Pod of the same shape has just been placed (opportunistic batching).
func (f *observedFramework) hinted(pod *corev1.Pod, hint string) {
	if hint == "" {
		return
	}
	a := f.observer.of(pod)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.record.Hint = hint
}

// RunPostFilterPlugins implements framework.Framework. The plugin DefaultPreemption looks for Pods to delete.
func (f *observedFramework) RunPostFilterPlugins(
	ctx context.Context, state fwk.CycleState, pod *corev1.Pod, filtered nodeToStatus,
) (*postFilterResult, *fwk.Status) {
	result, status := f.Framework.RunPostFilterPlugins(ctx, state, pod, filtered)
	a := f.observer.of(pod)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.record.Preemption = status.Message()
	return result, status
}

// RunReservePluginsReserve implements framework.Framework.
func (f *observedFramework) RunReservePluginsReserve(
	ctx context.Context, state fwk.CycleState, pod *corev1.Pod, node string,
) *fwk.Status {
	return f.after(pod, "Reserve", f.Framework.RunReservePluginsReserve(ctx, state, pod, node))
}

// RunPreBindPlugins implements framework.Framework. The plugin VolumeBinding waits here until the claims are bound.
func (f *observedFramework) RunPreBindPlugins(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, node string) *fwk.Status {
	return f.after(pod, "PreBind", f.Framework.RunPreBindPlugins(ctx, state, pod, node))
}

// RunBindPlugins implements framework.Framework.
func (f *observedFramework) RunBindPlugins(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, node string) *fwk.Status {
	return f.after(pod, "Bind", f.Framework.RunBindPlugins(ctx, state, pod, node))
}

// RunPostBindPlugins implements framework.Framework. They run when the Pod is bound: the attempt has succeeded.
func (f *observedFramework) RunPostBindPlugins(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, node string) {
	f.Framework.RunPostBindPlugins(ctx, state, pod, node)
	f.observer.end(pod.UID)
}

// after notes a plugin that fails after a node was chosen; not every failure names it, but all have an extension point.
func (f *observedFramework) after(pod *corev1.Pod, point string, status *fwk.Status) *fwk.Status {
	if !status.IsSuccess() {
		a := f.observer.of(pod)
		a.mu.Lock()
		defer a.mu.Unlock()
		a.record.FailedBy = cmp.Or(status.Plugin(), point)
	}
	return status
}
