package node

import (
	"encoding/binary"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
)

// Addresses are assigned in order and not reused until the range is exhausted: the third pod of a run has 10.244.0.3,
// and two pods that lived at different times have different addresses. Nodes are 192.168.0.1 and so on. Services have
// their own range, 10.96.0.0/12.
const (
	firstPod  = 10<<24 | 244<<16
	podRange  = 12 << 16 // up to 10.255.255.255
	firstNode = 192<<24 | 168<<16
)

func address(first, number uint32) string {
	var bytes [4]byte
	binary.BigEndian.PutUint32(bytes[:], first+number)
	return netip.AddrFrom4(bytes).String()
}

// setHost sets the address of a pod's node in the pod.
func (k *Kubelets) setHost(pod *corev1.Pod) {
	node, found := k.node(pod.Spec.NodeName)
	if !found || pod.Status.HostIP != "" {
		return
	}
	for _, known := range node.Status.Addresses {
		if known.Type == corev1.NodeInternalIP {
			pod.Status.HostIP, pod.Status.HostIPs = known.Address, []corev1.HostIP{{IP: known.Address}}
		}
	}
}

// setAddress assigns an address to a pod when its sandbox is ready, before its containers run. A pod without an address
// is in no Endpoints and no EndpointSlice.
func (k *Kubelets) setAddress(pod *corev1.Pod) {
	if pod.Status.PodIP != "" {
		return
	}
	if pod.Spec.HostNetwork {
		pod.Status.PodIP = pod.Status.HostIP
	} else {
		pod.Status.PodIP = k.NextAddress()
	}
	pod.Status.PodIPs = []corev1.PodIP{{IP: pod.Status.PodIP}}
}

// NextHost is the address of another node.
func (k *Kubelets) NextHost() string {
	k.hosts++
	return address(firstNode, k.hosts)
}

// NextAddress is the address of another pod, which no restored pod has.
func (k *Kubelets) NextAddress() string {
	for {
		k.addresses++
		if next := address(firstPod, k.addresses%podRange); !k.restored[next] {
			return next
		}
	}
}
