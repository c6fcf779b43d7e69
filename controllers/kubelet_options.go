package controllers

import (
	"errors"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers/kubelet"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/cluster/plugins/csi"
	"github.com/kubestep/kubestep/sim/cluster/plugins/dra"
	"github.com/kubestep/kubestep/sim/network"
)

// KubeletName is what all kubelets of a simulation are called.
const KubeletName = "kubelet"

// KubeletProcess is the name of the process that is the kubelet of a node.
func KubeletProcess(node string) string { return KubeletName + "-" + node }

// KubeletActor is what the kubelet of a node is called in the trace.
func KubeletActor(node string) string { return KubeletName + "@" + node }

// KubeletOptions configure the kubelets of a simulation: upstream's, one for each node.
type KubeletOptions struct {
	// Nodes are those that have one.
	Nodes []KubeletNode
	// Config is the component configuration of all; nil for upstream's defaults.
	Config *kubelet.Configuration
	// Programs are what images run.
	Programs []cri.Program
	// PodAddress returns the address of another Pod.
	PodAddress func() string
	// LooksAtLeases reports whether the client of a watch of Leases looks at renewals. Until one does, kubelets leave them out; nil means
	// that they never do.
	LooksAtLeases func(*network.Stream) bool
	// CSIDrivers are the drivers for volumes, which have a node service on each node.
	CSIDrivers []csi.Driver
	// DRADrivers are the drivers for dynamic resource allocation, on each node.
	DRADrivers []dra.Driver
	// Restless makes the loops of idle kubelets run, as upstream's do (kubelet.Options).
	Restless bool
}

// KubeletNode is a node with a kubelet.
type KubeletNode struct {
	// Name and Address are those of the node.
	Name, Address string
	Labels        map[string]string
	Taints        []corev1.Taint
	// CPUs, and Memory and Disk in bytes, are its capacity. Disk 0 is the default.
	CPUs         int
	Memory, Disk uint64
	// StaticPods are those with which it begins; nil if its kubelet looks for none.
	StaticPods []StaticPod
	// Pods is how many Pods it takes; 0 for what the configuration says.
	Pods int
	// Devices are how many it has of each resource of a device plugin.
	Devices map[string]int
}

// StaticPod is a Pod that a kubelet runs because its manifest is on the node.
type StaticPod struct {
	// Pod is its name in the manifest, and Text the manifest.
	Pod, Text string
}

// ErrNoKubelet says that this program does not run upstream's kubelet.
var ErrNoKubelet = errors.New("upstream's kubelet runs in the exact build for Linux")

// ErrNoPlugins says that the kubelets of this program have no plugins.
var ErrNoPlugins = errors.New("drivers and device plugins are called by upstream's kubelet of Kubernetes 1.37 or later")

// FolderError says that the files of nodes with upstream's kubelet cannot be written.
type FolderError struct{ Err error }

// Error implements error.
func (e *FolderError) Error() string {
	return "the files of the nodes need a temporary folder: " + e.Err.Error()
}

// Unwrap returns why.
func (e *FolderError) Unwrap() error { return e.Err }
