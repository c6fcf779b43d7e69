package node

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/cluster/glob"
)

// FailsPull is the fault of an image that cannot be pulled. An image can also have CrashLoops, and Recovers ends both.
const FailsPull PodFault = "failPull"

// imageFault is a fault of all images that a glob matches.
type imageFault struct {
	glob  string
	fault PodFault
}

// InjectImageFault applies a fault to the images that a glob matches, on the engine's goroutine. cause is the record that requests it.
//
// Containers that run keep their image, so FailsPull is about pods that have not started yet; CrashLoops is about all. With Recovers, the
// faults end whose globs this one covers: the kubelets pull again at once, and containers in a crash loop run.
func (k *Kubelets) InjectImageFault(images string, fault PodFault, cause int64) {
	if fault == Recovers {
		k.images = slices.DeleteFunc(k.images, func(f imageFault) bool { return glob.CoversImage(images, f.glob) })
	} else if one := (imageFault{images, fault}); !slices.Contains(k.images, one) {
		k.images = append(k.images, one)
	}
	for _, object := range k.sim.State.List(podResource.GroupResource(), "") {
		pod := object.(*corev1.Pod)
		if !k.nodes[pod.Spec.NodeName] || pod.DeletionTimestamp != nil || !(Match{Image: images}).matchesImage(pod) {
			continue
		}
		k.imageChanged(pod, fault, cause)
	}
}

// imageChanged applies the fault of its image to a pod that exists.
func (k *Kubelets) imageChanged(pod *corev1.Pod, fault PodFault, cause int64) {
	switch phase := pod.Status.Phase; {
	case fault == CrashLoops && phase == corev1.PodRunning && k.faults[pod.UID] == "":
		_ = k.InjectFault(pod.Namespace, pod.Name, CrashLoops, 1, cause) // it fails for pods that do not run
	case fault == Recovers && phase == corev1.PodRunning && k.faults[pod.UID] == CrashLoops && !k.hasImageFault(pod, CrashLoops):
		_ = k.InjectFault(pod.Namespace, pod.Name, Recovers, 0, cause)
	case fault == Recovers && phase == corev1.PodPending && !k.hasImageFault(pod, FailsPull):
		for _, stage := range []string{"pull", "back-off", "ready"} {
			delete(k.stages[pod.UID], stage)
		}
		k.changedPod(pod, cause)
	}
}

// hasImageFault reports whether an image of a pod has a fault.
func (k *Kubelets) hasImageFault(pod *corev1.Pod, fault PodFault) bool {
	return slices.ContainsFunc(k.images, func(f imageFault) bool { return f.fault == fault && (Match{Image: f.glob}).matchesImage(pod) })
}

// backOffPull reports that the kubelet waits before it pulls an image again.
func (k *Kubelets) backOffPull(pod *corev1.Pod, cause int64) {
	if pod.Status.Phase == corev1.PodPending && k.hasImageFault(pod, FailsPull) {
		setWaiting(pod, "ImagePullBackOff")
		k.writeStatus(pod, cause)
		k.tellBackOff(pod, cause)
	}
}
