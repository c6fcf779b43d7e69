package session

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers"
)

// reach implements podaccess.World: the session's simulation, whose Pods clients reach.
type reach struct{ session *Session }

// Look implements podaccess.World.
func (r reach) Look(f func()) error {
	return ended(r.session.Door.Do(func() { r.session.outside.Aside(f) }))
}

// Aside implements podaccess.World.
func (r reach) Aside() (leave func()) { return r.session.outside.Tag() }

// Kubelet implements podaccess.World.
func (r reach) Kubelet(node string) (found controllers.KubeletServer, ok bool) {
	return r.session.run.KubeletServer(node)
}

// Node implements podaccess.World.
func (r reach) Node(name string) *corev1.Node {
	if found, ok := r.session.run.Simulation().State.Get(corev1.Resource("nodes"), "", name); ok {
		return found.(*corev1.Node)
	}
	return nil
}

// Ended implements podaccess.World.
func (r reach) Ended() <-chan struct{} { return r.session.Door.Ended() }
