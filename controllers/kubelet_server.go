package controllers

import (
	"net/http"

	"github.com/kubestep/kubestep/controllers/kubelet"
	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// KubeletServer is a kubelet that runs, for clients that are not part of the simulation: its server, and the container runtime that serves
// its streams. They must be asked on the engine's goroutine, when nothing is due.
type KubeletServer struct {
	Answer  func(*http.Request) *kubelet.Answer
	Runtime *cri.Runtime
}
