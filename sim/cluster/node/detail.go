package node

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/google/uuid"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Detail makes the kubelets report what controllers hardly read, and people do: the versions, ids and images of a node, the ids of
// containers and images, all conditions of a Pod, and Events. version is that of the kubelets, such as v1.37.2. It must be called before
// AddNodes.
func (k *Kubelets) Detail(version string) { k.version = version }

// runtimeName is the container runtime of a stand-in, as in containerd://2.1.4.
const runtimeName = "kubestep"

// kubeletPort is where the kubelet of a node listens, by default.
const kubeletPort = 10250

// detailNode adds what a kubelet knows about its machine.
func (k *Kubelets) detailNode(node *corev1.Node) {
	if k.version == "" {
		return
	}
	id := func(purpose string) string {
		return uuid.NewSHA1(uuid.NameSpaceDNS, []byte(purpose+"."+node.Name)).String()
	}
	info := &node.Status.NodeInfo
	info.KubeletVersion, info.ContainerRuntimeVersion = k.version, runtimeName+"://"+k.version
	info.OSImage, info.KernelVersion = runtimeName, runtimeName
	info.MachineID, info.SystemUUID, info.BootID = strings.ReplaceAll(id("machine"), "-", ""), id("system"), id("boot")
	node.Status.DaemonEndpoints.KubeletEndpoint.Port = kubeletPort
	capacity := node.Status.Capacity.DeepCopy()
	capacity[corev1.ResourceEphemeralStorage] = resource.MustParse("100Gi")
	for _, size := range []string{"1Gi", "2Mi"} {
		capacity[corev1.ResourceName(corev1.ResourceHugePagesPrefix+size)] = *resource.NewQuantity(0, resource.DecimalSI)
	}
	node.Status.Capacity, node.Status.Allocatable = capacity, capacity
}

// healthMessages are those of a healthy node's conditions: k8s.io/kubernetes/pkg/kubelet/nodestatus/setters.go.
var healthMessages = map[corev1.NodeConditionType]string{
	corev1.NodeMemoryPressure: "kubelet has sufficient memory available",
	corev1.NodeDiskPressure:   "kubelet has no disk pressure",
	corev1.NodePIDPressure:    "kubelet has sufficient PID available",
	corev1.NodeReady:          "kubelet is posting ready status",
}

// detailConditions adds messages to the conditions of a healthy node.
func (k *Kubelets) detailConditions(status *corev1.NodeStatus) {
	if k.version == "" {
		return
	}
	for i := range status.Conditions {
		if message := healthMessages[status.Conditions[i].Type]; message != "" {
			status.Conditions[i].Message = message
		}
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
