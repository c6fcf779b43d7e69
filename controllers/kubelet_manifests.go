//go:build linux

package controllers

import (
	"cmp"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers/kubelet"
)

// WriteManifest writes the manifest of a static Pod to a node.
func (f NodeFaults) WriteManifest(node, pod, text string) error {
	k := f.control.kubelets
	if err := k.writeManifest(node, pod, text); err != nil {
		return err
	}
	k.manifests[node].Changed()
	return nil
}

// RemoveManifest removes the manifest of a static Pod from a node.
func (f NodeFaults) RemoveManifest(node, pod string) error {
	k := f.control.kubelets
	if err := os.Remove(k.on(node, kubelet.ManifestFile(pod))); err != nil {
		return err
	}
	k.manifests[node].Changed()
	return nil
}

func (k *kubelets) writeManifest(node, pod, text string) error {
	file := k.on(node, kubelet.ManifestFile(pod))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o600)
}

// writeManifests writes those with which a node begins, and makes its kubelet look for manifests.
func (k *kubelets) writeManifests(node KubeletNode) error {
	if node.StaticPods == nil {
		return nil
	}
	k.manifests[node.Name] = &kubelet.Manifests{}
	for _, m := range node.StaticPods {
		if err := k.writeManifest(node.Name, m.Pod, m.Text); err != nil {
			return err
		}
	}
	return nil
}

// uidOf is the uid that the kubelet of a Pod knows: that of the static Pod of a mirror.
func uidOf(pod *corev1.Pod) string {
	return cmp.Or(pod.Annotations[corev1.MirrorPodAnnotationKey], string(pod.UID))
}
