// Package podaccess connects clients with containers: it answers the subresources log, exec, attach and portforward of Pods.
//
// Three programs take part in a cluster, and all of them do here. Upstream's API server finds the kubelet of the Pod's node and passes the
// request on. Upstream's kubelet checks it, reads the log, and asks its container runtime for a stream. The runtime's server, of upstream's
// library for runtimes, speaks SPDY or WebSocket with the client.
//
// The client and the servers are outside of the bubble: they live by the clock of the machine. The kubelet and the runtime are inside, and
// are asked while virtual time stands still (World.Look). Nothing here changes the simulation or is in its trace, so a session is the same
// whoever reads a log. The exception is a command in a container whose program is a Go function, such as a shell: it may do anything, so
// the world decides how it becomes a part of the session (World.Run).
package podaccess

import (
	"context"
	"io"
	"net/url"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// World is the simulation.
type World interface {
	// Look runs a function in the simulation, while nothing happens there. What it logs is not recorded.
	Look(f func()) error
	// Aside tags the calling goroutine, and those that it starts: what they log is not recorded. leave reverts this.
	Aside() (leave func())
	// Run runs a command in a container whose program is a Go function, which takes virtual time. runs is false if it is another program.
	Run(ctx context.Context, c Command) (code int, runs bool, err error)
	// Kubelet is the server of a node's kubelet; ok is false if none listens there. It is called in Look.
	Kubelet(node string) (found controllers.KubeletServer, ok bool)
	// Node is nil if no node has the name. It is called in Look.
	Node(name string) *corev1.Node
	// Ended closes when the simulation has ended.
	Ended() <-chan struct{}
}

// Command is one that a client runs in a container of a runtime. Stdin, Stdout and Stderr are nil where the client has not asked for them.
type Command struct {
	Runtime        *cri.Runtime
	Container      string
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Options reads the options of a request from its query.
func Options(query url.Values, into runtime.Object) error {
	if err := legacyscheme.ParameterCodec.DecodeParameters(query, corev1.SchemeGroupVersion, into); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}
