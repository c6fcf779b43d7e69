package trace

import "strings"

// InformerActor is the client that fills the caches of the shared informers, MetadataActor that of the
// informers that keep metadata only, as kube-controller-manager names them.
const (
	InformerActor = "shared-informers"
	MetadataActor = "metadata-informers"
)

// SplitActor takes the name of an actor apart: of one replica of several, deployment-controller@2, the suffix is
// @2, and every actor of its process has it. Of all others it is empty.
func SplitActor(actor string) (name, suffix string) {
	if at := strings.LastIndexByte(actor, '@'); at >= 0 {
		return actor[:at], actor[at:]
	}
	return actor, ""
}
