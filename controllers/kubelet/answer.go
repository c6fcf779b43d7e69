package kubelet

import (
	"net/http"

	corev1 "k8s.io/api/core/v1"

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
	Follow *corev1.PodLogOptions
}
