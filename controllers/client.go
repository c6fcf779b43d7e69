package controllers

import (
	"fmt"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/controller-manager/pkg/clientbuilder"

	"github.com/kubestep/kubestep/sim"
)

// clientBuilder gives each controller a client of the simulation. A controller asks for its client under
// a name of its own (daemon-set-controller); in the trace it appears under its canonical name
// (daemonset-controller), which is what its goroutine is tagged with while it is built.
type clientBuilder struct{ sim *sim.Simulation }

var _ clientbuilder.ControllerClientBuilder = clientBuilder{}

// Config implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) Config(name string) (*rest.Config, error) {
	return nil, fmt.Errorf("client %q needs a rest.Config, which the simulation does not serve yet", name)
}

// ConfigOrDie implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) ConfigOrDie(name string) *rest.Config {
	_, err := b.Config(name)
	panic(err)
}

// Client implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) Client(name string) (kubernetes.Interface, error) {
	return b.ClientOrDie(name), nil
}

// ClientOrDie implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) ClientOrDie(name string) kubernetes.Interface {
	if activity := b.sim.Activities.Current(); activity != nil && name != sim.InformerActor {
		name = activity.Actor
	}
	return b.sim.Client(name)
}

// DiscoveryClient implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) DiscoveryClient(name string) (discovery.DiscoveryInterface, error) {
	return nil, fmt.Errorf("client %q needs discovery, which the simulation does not serve yet", name)
}

// DiscoveryClientOrDie implements clientbuilder.ControllerClientBuilder.
func (b clientBuilder) DiscoveryClientOrDie(name string) discovery.DiscoveryInterface {
	_, err := b.DiscoveryClient(name)
	panic(err)
}
