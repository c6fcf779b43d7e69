package kubelet

import (
	"net/http"

	"k8s.io/cri-client/pkg/logs"

	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// Answer is what the server of a kubelet answers to a request.
type Answer struct {
	// Code, Header and Body are those of the response, if Stream is nil.
	Code   int
	Header http.Header
	Body   []byte
	// Stream is what the container runtime would serve next.
	Stream *cri.Stream
	// Follow is how the log of the Stream's container is read, if the request is to follow it.
	Follow *logs.LogOptions
}
