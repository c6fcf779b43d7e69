package node

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/google/uuid"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// Detail makes the kubelets report what controllers do not read, and people do: the version and the ids of a node, the ids of containers
// and images, and Events about the containers of a Pod. version is that of the kubelets, such as v1.37.2. It must be called before
// AddNodes.
func (k *Kubelets) Detail(version string) { k.version = version }

// runtimeName is the container runtime of a stand-in, as in containerd://2.1.4.
const runtimeName = "kubestep"

// detailNode adds what a kubelet knows about its machine.
func (k *Kubelets) detailNode(node *corev1.Node) {
	if k.version == "" {
		return
	}
	id := func(purpose string) string {
		return uuid.NewSHA1(uuid.NameSpaceDNS, []byte(purpose+"."+node.Name)).String()
	}
	info := &node.Status.NodeInfo
	info.KubeletVersion, info.ContainerRuntimeVersion, info.OSImage = k.version, runtimeName+"://"+k.version, runtimeName
	info.MachineID, info.SystemUUID, info.BootID = id("machine"), id("system"), id("boot")
	capacity := node.Status.Capacity.DeepCopy()
	capacity[corev1.ResourceEphemeralStorage] = resource.MustParse("100Gi")
	for _, size := range []string{"1Gi", "2Mi"} {
		capacity[corev1.ResourceName(corev1.ResourceHugePagesPrefix+size)] = *resource.NewQuantity(0, resource.DecimalSI)
	}
	node.Status.Capacity, node.Status.Allocatable = capacity, capacity
}

// detailContainers adds the ids of containers that have started, and of their images.
func (k *Kubelets) detailContainers(pod *corev1.Pod) {
	if k.version == "" {
		return
	}
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		if status.State.Waiting != nil && status.RestartCount == 0 {
			continue
		}
		status.ContainerID = fmt.Sprintf("%s://%s", runtimeName, digest(string(pod.UID), status.Name, fmt.Sprint(status.RestartCount)))
		status.ImageID = status.Image + "@sha256:" + digest(status.Image)
	}
}

// digest is an id that depends on some texts.
func digest(of ...string) string {
	sum := sha256.New()
	for _, text := range of {
		fmt.Fprintf(sum, "%d|%s", len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// tell records an Event about each container of a pod. Its reasons are those of k8s.io/kubernetes/pkg/kubelet/events.
func (k *Kubelets) tell(pod *corev1.Pod, cause int64, kind, reason string, message func(corev1.Container) string) {
	if k.version == "" {
		return
	}
	now := metav1.NewTime(k.sim.Engine.Date())
	for _, container := range pod.Spec.Containers {
		k.events++
		event := &corev1.Event{
			// client-go's recorders name an Event by the time, which is the same for those of one instant.
			ObjectMeta: metav1.ObjectMeta{
				Namespace: pod.Namespace, Name: fmt.Sprintf("%s.%x", pod.Name, now.UnixNano()+k.events),
			},
			InvolvedObject: corev1.ObjectReference{
				Kind: "Pod", APIVersion: "v1", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
				ResourceVersion: pod.ResourceVersion, FieldPath: "spec.containers{" + container.Name + "}",
			},
			Reason: reason, Message: message(container), Type: kind, Count: 1,
			Source:         corev1.EventSource{Component: Actor, Host: pod.Spec.NodeName},
			FirstTimestamp: now, LastTimestamp: now,
			ReportingController: Actor, ReportingInstance: pod.Spec.NodeName,
		}
		_, _ = k.sim.Execute(apiserver.Request{
			Actor: Actor, Verb: "create", Resource: eventResource, Namespace: pod.Namespace, Object: event,
		}, cause, false)
	}
}

var eventResource = corev1.SchemeGroupVersion.WithResource("events")

// tellStarted records the Events of containers that start. The images of stand-ins are there.
func (k *Kubelets) tellStarted(pod *corev1.Pod, cause int64) {
	k.tell(pod, cause, corev1.EventTypeNormal, "Pulled", func(c corev1.Container) string {
		return fmt.Sprintf("Container image %q already present on machine", c.Image)
	})
	k.tell(pod, cause, corev1.EventTypeNormal, "Created", func(c corev1.Container) string { return "Created container " + c.Name })
	k.tell(pod, cause, corev1.EventTypeNormal, "Started", func(c corev1.Container) string { return "Started container " + c.Name })
}

// tellFailedPull records the Event of an image that cannot be pulled.
func (k *Kubelets) tellFailedPull(pod *corev1.Pod, cause int64) {
	k.tell(pod, cause, corev1.EventTypeWarning, "Failed", func(c corev1.Container) string {
		return fmt.Sprintf("Failed to pull image %q", c.Image)
	})
}

// tellBackOff records that a kubelet waits until it pulls an image again.
func (k *Kubelets) tellBackOff(pod *corev1.Pod, cause int64) {
	k.tell(pod, cause, corev1.EventTypeNormal, "BackOff", func(c corev1.Container) string {
		return fmt.Sprintf("Back-off pulling image %q", c.Image)
	})
}
