package node

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
)

// Actor is the name of all kubelets in the trace.
const Actor = "kubelet"

// imagePullTimeout is when a container that never gets ready reports ErrImagePull, as in kwok.
const imagePullTimeout = 500 * time.Millisecond

var podResource = corev1.SchemeGroupVersion.WithResource("pods")

// Kubelets simulates the pods of all nodes.
type Kubelets struct {
	sim   *sim.Simulation
	rules []Rule
	// stages holds, for each pod, the stages already scheduled.
	stages map[types.UID]map[string]bool
	// faults are the faults of pods, and restarts how often their containers crashed.
	faults   map[types.UID]PodFault
	restarts map[types.UID]int32
	// images are the faults of images, in the order in which they came.
	images []imageFault
	// nodes are those that have a kubelet: those of AddNodes and Adopt, and those that somebody created. A kubelet outlives its
	// Node object.
	nodes map[string]bool
	// others are nodes with a kubelet of another kind.
	others map[string]bool
	// down holds the nodes that failed.
	down map[string]*outage
	// skew is by how much the clocks of nodes are ahead.
	skew map[string]time.Duration
	// addresses and hosts count the addresses assigned to pods and nodes.
	addresses, hosts uint32
	// restored are the addresses of restored pods.
	restored map[string]bool
	rest     resting
	// version is that of Detail, empty without. Without it, nothing uses the rest: events counts the Events, told has the names of those
	// about an object, and machine the images.
	version string
	events  int64
	told    map[types.UID]map[told]string
	machine images
}

// Start starts the kubelets of a simulation. The first matching rule applies to a pod; a pod without one becomes Ready
// at once and stops at once.
func Start(s *sim.Simulation, rules []Rule) *Kubelets {
	k := Idle(s)
	k.rules = rules
	s.OnChange(k.changed)
	return k
}

// Idle returns kubelets that run no pod, for nodes that have others. They assign addresses.
func Idle(s *sim.Simulation) *Kubelets {
	return &Kubelets{
		sim: s, stages: map[types.UID]map[string]bool{},
		faults: map[types.UID]PodFault{}, restarts: map[types.UID]int32{},
		nodes: map[string]bool{}, others: map[string]bool{}, restored: map[string]bool{},
		down: map[string]*outage{}, skew: map[string]time.Duration{},
		told:    map[types.UID]map[told]string{},
		machine: images{map[string]map[string]bool{}, map[string]bool{}, map[types.UID]map[string]bool{}},
	}
}

// Leave leaves nodes to kubelets of another kind, which run their pods. It must be called before there are nodes.
func (k *Kubelets) Leave(names ...string) {
	for _, name := range names {
		k.others[name] = true
	}
}

// changed reacts to a write of a pod, and to the first write of a node, whose kubelet starts then.
func (k *Kubelets) changed(change network.Change) {
	switch object := change.Object.(type) {
	case *corev1.Node:
		if change.Op != memdb.OpDelete {
			k.appears(object.Name, change.Seq)
		}
	case *corev1.Pod:
		if change.Op == memdb.OpDelete {
			k.ends(object.UID)
		} else if k.nodes[object.Spec.NodeName] {
			k.changedPod(object, change.Seq)
		}
	}
}

// appears starts the kubelet of a node, which begins with the pods that are bound to it already. Without one they stay as they
// are: Pending, until pod-garbage-collector-controller deletes them.
func (k *Kubelets) appears(name string, cause int64) {
	if k.nodes[name] || k.others[name] {
		return
	}
	k.nodes[name] = true
	for _, object := range k.sim.State.List(podResource.GroupResource(), "") {
		if pod := object.(*corev1.Pod); pod.Spec.NodeName == name {
			k.changedPod(pod, cause)
		}
	}
}

// changedPod reacts to a write of a pod on a node that has a kubelet.
func (k *Kubelets) changedPod(pod *corev1.Pod, seq int64) {
	rule := k.ruleOf(pod)
	if pod.DeletionTimestamp != nil {
		k.stopContainers(pod, seq)
		k.after(pod, "remove", rule.Terminate, seq, k.remove)
		return
	}
	k.once(pod, "accept", 0, seq, k.accept)
	k.observe(pod, seq)
	k.watchScheduled(pod, seq)
	k.watchDeadline(pod, seq)
	if k.hasImageFault(pod, FailsPull) && pod.Status.Phase == corev1.PodPending {
		k.once(pod, "pull", imagePullTimeout, seq, k.failPull)
		k.once(pod, "back-off", imagePullTimeout+backOffFirst, seq, k.backOffPull)
		return
	}
	if rule.Ready.Never {
		k.once(pod, "pull", imagePullTimeout, seq, k.failPull)
		return
	}
	k.after(pod, "ready", rule.Ready, seq, k.ready)
	if pod.Status.Phase != corev1.PodRunning {
		return
	}
	if rule.Complete != nil {
		k.after(pod, "complete", *rule.Complete, seq, func(pod *corev1.Pod, cause int64) {
			k.finish(pod, corev1.PodSucceeded, 0, cause)
		})
	}
	if rule.Fail != nil {
		k.after(pod, "fail", *rule.Fail, seq, func(pod *corev1.Pod, cause int64) {
			k.finish(pod, corev1.PodFailed, rule.ExitCode, cause)
		})
	}
}

func (k *Kubelets) ruleOf(pod *corev1.Pod) Rule {
	for _, rule := range k.rules {
		if rule.Match.matches(pod) {
			return rule
		}
	}
	return Rule{}
}

// after schedules a stage of a pod's lifecycle once, at a drawn time from now.
func (k *Kubelets) after(pod *corev1.Pod, stage string, delay Delay, cause int64, do func(*corev1.Pod, int64)) {
	if delay.Never || k.stages[pod.UID][stage] {
		return
	}
	drawn := k.sim.Engine.Draw("kubelet|"+stage+"|"+pod.Namespace+"/"+pod.Name, delay.Min, delay.Max)
	k.once(pod, stage, drawn, cause, do)
}

func (k *Kubelets) once(pod *corev1.Pod, step string, delay time.Duration, cause int64, do func(*corev1.Pod, int64)) {
	stages := k.stages[pod.UID]
	if stages == nil {
		stages = map[string]bool{}
		k.stages[pod.UID] = stages
	}
	if stages[step] {
		return
	}
	stages[step] = true
	namespace, name, uid := pod.Namespace, pod.Name, pod.UID
	key := strings.Join([]string{"kubelet", step, namespace, name}, "|")
	written := k.sim.Engine.Now()
	var run func()
	run = func() {
		// The kubelet acts on the current pod, not on the one at the time of scheduling.
		obj, found := k.sim.State.Get(schema.GroupResource{Resource: "pods"}, namespace, name)
		if !found {
			return
		}
		current := obj.(*corev1.Pod)
		if current.UID != uid || current.DeletionTimestamp != nil && step != "remove" && step != killStage {
			return
		}
		if missed := k.down[current.Spec.NodeName]; missed != nil {
			missed.stages = append(missed.stages, stage{key, run, written, delay})
			return
		}
		do(current.DeepCopy(), cause)
	}
	k.sim.Engine.As(engine.Component).After(delay, key, run)
}

// accept writes the first status of a bound pod: its containers are being created.
func (k *Kubelets) accept(pod *corev1.Pod, cause int64) {
	if pod.Status.Phase != corev1.PodPending || pod.Status.StartTime != nil || !k.admits(pod, cause) {
		return
	}
	k.begin(pod)
	setCondition(pod, corev1.PodReady, corev1.ConditionFalse, "ContainersNotReady")
	setCondition(pod, corev1.ContainersReady, corev1.ConditionFalse, "ContainersNotReady")
	setWaiting(pod, "ContainerCreating")
	k.writeStatus(pod, cause)
	k.pull(pod, cause)
}

// begin sets what a kubelet knows of a pod as soon as it has accepted it.
func (k *Kubelets) begin(pod *corev1.Pod) {
	now := metav1.Now()
	pod.Status.StartTime = &now
	setCondition(pod, corev1.PodInitialized, corev1.ConditionTrue, "")
	k.setHost(pod)
}

// ready starts all containers and reports them ready.
func (k *Kubelets) ready(pod *corev1.Pod, cause int64) {
	if pod.Status.Phase != corev1.PodPending {
		return
	}
	if k.hasImageFault(pod, FailsPull) {
		k.failPull(pod, cause) // the image has become bad since the kubelet began with the pod
		return
	}
	if pod.Status.StartTime == nil {
		// Both stages are due at one time, as when a node recovers, and this one comes first.
		if !k.admits(pod, cause) {
			return
		}
		k.begin(pod)
	}
	now := metav1.Now()
	pod.Status.Phase = corev1.PodRunning
	setCondition(pod, corev1.PodReady, corev1.ConditionTrue, "")
	setCondition(pod, corev1.ContainersReady, corev1.ConditionTrue, "")
	k.setAddress(pod)
	setContainers(pod, true, corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}})
	k.writeStatus(pod, cause)
	k.tellStarted(pod, cause, now.Sub(ptr.Deref(pod.Status.StartTime, now).Time))
	k.pulled(pod)
	if k.hasImageFault(pod, CrashLoops) {
		k.faults[pod.UID] = CrashLoops
		k.later(pod, "crash", crashAfter, func(pod *corev1.Pod) { k.crash(pod, cause) })
	}
}

func (k *Kubelets) failPull(pod *corev1.Pod, cause int64) {
	if pod.Status.Phase == corev1.PodPending && !failsPull(pod) {
		setWaiting(pod, "ErrImagePull")
		k.setAddress(pod)
		k.writeStatus(pod, cause)
		k.tellFailedPull(pod, cause)
	}
}

// finish ends all containers with an exit code.
func (k *Kubelets) finish(pod *corev1.Pod, phase corev1.PodPhase, exitCode int32, cause int64) {
	if pod.Status.Phase != corev1.PodRunning {
		return
	}
	if k.faults[pod.UID] == CrashLoops && phase == corev1.PodSucceeded {
		delete(k.stages[pod.UID], "complete") // its containers do not get that far before they crash
		return
	}
	k.end(pod, phase, exitCode, cause)
}

// end reports that all containers have ended.
func (k *Kubelets) end(pod *corev1.Pod, phase corev1.PodPhase, exitCode int32, cause int64) {
	reason := "Completed"
	if phase == corev1.PodFailed {
		reason = "Error"
	}
	podReason := "PodCompleted"
	if phase == corev1.PodFailed {
		podReason = "PodFailed"
	}
	pod.Status.Phase = phase
	setCondition(pod, corev1.PodReady, corev1.ConditionFalse, podReason)
	setCondition(pod, corev1.ContainersReady, corev1.ConditionFalse, podReason)
	setContainers(pod, false, corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: exitCode, Reason: reason, FinishedAt: metav1.Now(),
	}})
	k.writeStatus(pod, cause)
}

// exitCodeTerminated is the exit code of a program that SIGTERM ended: 128 + 15.
const exitCodeTerminated = 143

// remove ends a terminating pod: its containers have stopped, so it deletes the object without grace period. If a
// finalizer keeps the object, its phase first says that nothing runs any more; the Job controller waits for that.
func (k *Kubelets) remove(pod *corev1.Pod, cause int64) {
	if pod.DeletionTimestamp == nil || k.faults[pod.UID] == Hangs {
		return
	}
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	if len(pod.Finalizers) > 0 && !ended {
		k.end(pod, corev1.PodFailed, exitCodeTerminated, cause)
	}
	options := metav1.NewDeleteOptions(0)
	options.Preconditions = metav1.NewUIDPreconditions(string(pod.UID))
	_, _ = k.sim.Execute(apiserver.Request{
		Actor: Actor, Verb: "delete", Resource: podResource, Namespace: pod.Namespace, Name: pod.Name,
		DeleteOptions: *options,
	}, cause, false)
	// A finalizer may keep the pod; its next write schedules the removal again.
	delete(k.stages[pod.UID], "remove")
}

// writeStatus writes the status. Errors are in the trace; the kubelet's next write is newer.
func (k *Kubelets) writeStatus(pod *corev1.Pod, cause int64) {
	k.detailPod(pod)
	correctScheduled(pod)
	k.sendStatus(pod, cause)
}

func (k *Kubelets) sendStatus(pod *corev1.Pod, cause int64) {
	_, _ = k.sim.Execute(apiserver.Request{
		Actor: Actor, Verb: "update", Resource: podResource, Subresource: "status",
		Namespace: pod.Namespace, Name: pod.Name, Object: pod,
	}, cause, false)
}
