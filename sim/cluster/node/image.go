package node

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/distribution/reference"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/engine"
)

const (
	// imagesAfter is how long after a pull a node reports its images: nodeStatusUpdateFrequency.
	imagesAfter = 10 * time.Second
	// imagesMax is how many images a node reports: nodeStatusMaxImages.
	imagesMax = 50
	// imageSizeMin and imageSizeRange are the sizes of images in bytes. An image has one that depends on its name.
	imageSizeMin, imageSizeRange = 8 << 20, 240 << 20
)

// images are what the kubelets know about images.
type images struct {
	// of are those that a node has, and due the nodes that will report them.
	of  map[string]map[string]bool
	due map[string]bool
	// pulling are those that are pulled for a pod.
	pulling map[types.UID]map[string]bool
}

// pull begins to pull the images of a pod that its node does not have, or that it always pulls.
func (k *Kubelets) pull(pod *corev1.Pod, cause int64) {
	if k.version == "" {
		return
	}
	pulling := map[string]bool{}
	for _, container := range pod.Spec.Containers {
		if container.ImagePullPolicy == corev1.PullAlways || !k.machine.of[pod.Spec.NodeName][container.Image] {
			pulling[container.Image] = true
		}
	}
	k.machine.pulling[pod.UID] = pulling
	k.tellPulling(pod, cause)
}

// pulls reports whether the image of a container is pulled for a pod.
func (k *Kubelets) pulls(pod *corev1.Pod, container corev1.Container) bool {
	return k.machine.pulling[pod.UID][container.Image]
}

// pulled notes that a node has the images of a pod, and reports them later.
func (k *Kubelets) pulled(pod *corev1.Pod) {
	node := pod.Spec.NodeName
	if k.version == "" {
		return
	}
	if k.machine.of[node] == nil {
		k.machine.of[node] = map[string]bool{}
	}
	delete(k.machine.pulling, pod.UID)
	changed := false
	for _, container := range pod.Spec.Containers {
		changed = changed || !k.machine.of[node][container.Image]
		k.machine.of[node][container.Image] = true
	}
	if !changed || k.machine.due[node] {
		return
	}
	k.machine.due[node] = true
	k.sim.Engine.As(engine.Routine).After(imagesAfter, "kubelet|images|"+node, func() {
		k.machine.due[node] = false
		if stored, found := k.node(node); found && k.down[node] == nil {
			k.writeNode(stored, true)
		}
	})
}

// detailImages adds the images that a node has, the largest first.
func (k *Kubelets) detailImages(node *corev1.Node) {
	if k.version == "" || len(k.machine.of[node.Name]) == 0 {
		return
	}
	node.Status.Images = nil
	for image := range k.machine.of[node.Name] {
		names := []string{imageID(image)}
		if full := fullName(image); !strings.Contains(full, "@") {
			names = append(names, full)
		}
		node.Status.Images = append(node.Status.Images, corev1.ContainerImage{Names: names, SizeBytes: imageSize(image)})
	}
	slices.SortFunc(node.Status.Images, func(a, b corev1.ContainerImage) int {
		return cmp.Or(cmp.Compare(b.SizeBytes, a.SizeBytes), slices.Compare(a.Names, b.Names))
	})
	node.Status.Images = node.Status.Images[:min(len(node.Status.Images), imagesMax)]
}

// fullName is the name of an image as container runtimes write it, with registry and tag: docker.io/library/nginx:latest. One that is no
// name of an image stays as it is.
func fullName(image string) string {
	named, err := reference.ParseDockerRef(image)
	if err != nil {
		return image
	}
	return named.String()
}

// imageID is the name of an image with a digest, which depends on the name unless that has one.
func imageID(image string) string {
	named, err := reference.ParseDockerRef(image)
	if err != nil {
		return image
	}
	if _, ok := named.(reference.Digested); ok {
		return named.String()
	}
	return named.Name() + "@sha256:" + digest(named.String())
}

// imageSize is the size of an image in bytes.
func imageSize(image string) int64 {
	sum := sha256.Sum256([]byte(fullName(image)))
	return imageSizeMin + int64(binary.BigEndian.Uint64(sum[:])%imageSizeRange)
}
