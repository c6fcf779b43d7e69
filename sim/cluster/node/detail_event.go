package node

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// killStage is the stage in which a kubelet stops containers.
const killStage = "kill"

var eventResource = corev1.SchemeGroupVersion.WithResource("events")

// told is an Event that a kubelet has recorded about an object.
type told struct{ part, kind, reason, message string }

// tell records an Event about each container of a pod. Its reasons are those of k8s.io/kubernetes/pkg/kubelet/events, and its messages
// those of Kubernetes 1.37. The message is empty for containers that the Event is not about.
func (k *Kubelets) tell(pod *corev1.Pod, cause int64, kind, reason string, message func(corev1.Container) string) {
	if k.version == "" {
		return
	}
	for _, container := range pod.Spec.Containers {
		about := corev1.ObjectReference{
			Kind: "Pod", APIVersion: "v1", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
			ResourceVersion: pod.ResourceVersion, FieldPath: "spec.containers{" + container.Name + "}",
		}
		if text := message(container); text != "" {
			k.record(about, pod.Spec.NodeName, cause, told{about.FieldPath, kind, reason, text})
		}
	}
}

// record records an Event. What is recorded again counts, as with client-go's recorders.
func (k *Kubelets) record(about corev1.ObjectReference, node string, cause int64, what told) {
	now, namespace := metav1.NewTime(k.sim.Engine.Date()), about.Namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	background := about.Kind == "Node" // a kubelet starts before anything happens
	request := apiserver.Request{Actor: Actor, Verb: "create", Resource: eventResource, Namespace: namespace}
	if name := k.told[about.UID][what]; name != "" {
		if stored, found := k.sim.State.Get(eventResource.GroupResource(), namespace, name); found {
			event := stored.(*corev1.Event).DeepCopy()
			event.Count++
			event.LastTimestamp = now
			request.Verb, request.Name, request.Object = "update", name, event
			_, _ = k.sim.Execute(request, cause, background)
			return
		}
	}
	k.events++
	// client-go's recorders name an Event by the time, which is the same for those of one instant.
	name := fmt.Sprintf("%s.%x", about.Name, now.UnixNano()+k.events)
	request.Object = &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: namespace, Name: name},
		InvolvedObject: about, Reason: what.reason, Message: what.message, Type: what.kind, Count: 1,
		Source:         corev1.EventSource{Component: Actor, Host: node},
		FirstTimestamp: now, LastTimestamp: now,
		ReportingController: Actor, ReportingInstance: node,
	}
	if k.told[about.UID] == nil {
		k.told[about.UID] = map[told]string{}
	}
	k.told[about.UID][what] = name
	_, _ = k.sim.Execute(request, cause, background)
}

// tellNode records the Events of a kubelet that starts. Kubelets have the name of the node where others have the uid.
func (k *Kubelets) tellNode(node *corev1.Node) {
	if k.version == "" {
		return
	}
	about := corev1.ObjectReference{Kind: "Node", Name: node.Name, UID: types.UID(node.Name)}
	k.record(about, node.Name, 0, told{"", corev1.EventTypeNormal, "Starting", "Starting kubelet."})
	for _, reason := range []string{"NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID"} {
		k.record(about, node.Name, 0, told{"", corev1.EventTypeNormal, reason, fmt.Sprintf("Node %s status is now: %s", node.Name, reason)})
	}
	k.record(about, node.Name, 0,
		told{"", corev1.EventTypeNormal, "NodeAllocatableEnforced", "Updated Node Allocatable limit across pods"})
	k.record(about, node.Name, 0, told{"", corev1.EventTypeNormal, "NodeReady", fmt.Sprintf("Node %s status is now: NodeReady", node.Name)})
}

// tellPulling records that the images of a pod are pulled, but for those that its node has.
func (k *Kubelets) tellPulling(pod *corev1.Pod, cause int64) {
	if k.version == "" {
		return
	}
	k.tell(pod, cause, corev1.EventTypeNormal, "Pulling", func(c corev1.Container) string {
		if !k.pulls(pod, c) {
			return ""
		}
		return fmt.Sprintf("Pulling image %q", c.Image)
	})
}

// tellStarted records the Events of containers that start. took is how long their images took, for those that were pulled.
func (k *Kubelets) tellStarted(pod *corev1.Pod, cause int64, took time.Duration) {
	k.tell(pod, cause, corev1.EventTypeNormal, "Pulled", func(c corev1.Container) string {
		if k.pulls(pod, c) {
			took := took.Truncate(time.Millisecond)
			return fmt.Sprintf("Successfully pulled image %q in %v (%v including waiting). Image size: %d bytes.",
				c.Image, took, took, imageSize(c.Image))
		}
		return fmt.Sprintf("Container image %q already present on machine and can be accessed by the pod", c.Image)
	})
	k.tell(pod, cause, corev1.EventTypeNormal, "Created", func(corev1.Container) string { return "Container created" })
	k.tell(pod, cause, corev1.EventTypeNormal, "Started", func(corev1.Container) string { return "Container started" })
}

// tellFailedPull records the Events of an image that cannot be pulled.
func (k *Kubelets) tellFailedPull(pod *corev1.Pod, cause int64) {
	k.tell(pod, cause, corev1.EventTypeWarning, "Failed", func(c corev1.Container) string {
		return fmt.Sprintf("Failed to pull image %q", c.Image)
	})
	k.tell(pod, cause, corev1.EventTypeWarning, "Failed", func(corev1.Container) string { return "Error: ErrImagePull" })
}

// tellRejected records that a kubelet does not admit a pod.
func (k *Kubelets) tellRejected(pod *corev1.Pod, cause int64, reason, message string) {
	if k.version == "" {
		return
	}
	about := corev1.ObjectReference{
		Kind: "Pod", APIVersion: "v1", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: pod.ResourceVersion,
	}
	k.record(about, pod.Spec.NodeName, cause, told{"", corev1.EventTypeWarning, reason, message})
}

// tellBackOff records that a kubelet waits until it pulls an image again.
func (k *Kubelets) tellBackOff(pod *corev1.Pod, cause int64) {
	k.tell(pod, cause, corev1.EventTypeNormal, "BackOff", func(c corev1.Container) string {
		return fmt.Sprintf("Back-off pulling image %q", c.Image)
	})
	k.tell(pod, cause, corev1.EventTypeWarning, "Failed", func(corev1.Container) string { return "Error: ImagePullBackOff" })
}

// tellRestart records that a kubelet waits until it restarts a container.
func (k *Kubelets) tellRestart(pod *corev1.Pod, cause int64) {
	k.tell(pod, cause, corev1.EventTypeWarning, "BackOff", func(c corev1.Container) string {
		return fmt.Sprintf("Back-off restarting failed container %s in pod %s_%s(%s)", c.Name, pod.Name, pod.Namespace, pod.UID)
	})
}

// tellKilling records that the containers of a pod are stopped.
func (k *Kubelets) tellKilling(pod *corev1.Pod, cause int64) {
	k.tell(pod, cause, corev1.EventTypeNormal, "Killing", func(c corev1.Container) string {
		if !runs(pod, c.Name) {
			return ""
		}
		return "Stopping container " + c.Name
	})
}

// runs reports whether a container of a pod runs.
func runs(pod *corev1.Pod, name string) bool {
	return slices.ContainsFunc(pod.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool {
		return c.Name == name && c.State.Running != nil
	})
}
