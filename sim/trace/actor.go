package trace

import "strings"

// InformerActor is the client that fills the caches of the shared informers, MetadataActor that of the informers that
// keep metadata only, with the names of kube-controller-manager.
const (
	InformerActor = "shared-informers"
	MetadataActor = "metadata-informers"
)

// APIServerActor is the API server, for what it writes itself.
const APIServerActor = "system:apiserver"

// SchedulerActor is kube-scheduler: its requests, its caches and its attempts to schedule Pods.
const SchedulerActor = "kube-scheduler"

// AttacherActor is the sidecar with which CSI drivers attach volumes to nodes: kubernetes-csi/external-attacher.
const AttacherActor = "external-attacher"

// SplitActor splits the name of an actor into name and suffix: the suffix of deployment-controller@2, one of several
// replicas, is @2, and every actor of its process has it. For all others it is empty.
func SplitActor(actor string) (name, suffix string) {
	if at := strings.LastIndexByte(actor, '@'); at >= 0 {
		return actor[:at], actor[at:]
	}
	return actor, ""
}
