package controllers

import (
	"context"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
)

// collectorDiscovery is the name of the discovery client with which the garbage collector looks every 30 seconds whether
// there are new resources (startGarbageCollectorController in cmd/kube-controller-manager/app/core.go).
const collectorDiscovery = "generic-garbage-collector"

// DiscoveryClient implements clientbuilder.ControllerClientBuilder.
func (c processClients) DiscoveryClient(name string) (discovery.DiscoveryInterface, error) {
	client, err := c.clientBuilder.DiscoveryClient(name)
	if err != nil || name != collectorDiscovery || !c.sim.LeavesOut() {
		return client, err
	}
	return &idleDiscovery{DiscoveryInterface: client, ctx: c.process.ctx}, nil
}

// DiscoveryClientOrDie implements clientbuilder.ControllerClientBuilder.
func (c processClients) DiscoveryClientOrDie(name string) discovery.DiscoveryInterface {
	client, err := c.DiscoveryClient(name)
	if err != nil {
		panic(err)
	}
	return client
}

// idleDiscovery is the discovery client of the garbage collector in a run that leaves out what nobody can observe
// (sim.Options.LeaveOut). The resources of a simulation never change, and of the same resources as before the collector takes
// no notice. So after some answers, the next one comes when the process ends, instead of a million times a year.
type idleDiscovery struct {
	discovery.DiscoveryInterface
	ctx     context.Context
	answers atomic.Int64
	last    []*metav1.APIResourceList
}

// idleAfter is how many answers the collector gets. It needs the first one, and the second one if it could not use that.
const idleAfter = 3

// ServerPreferredResources implements discovery.ServerResourcesInterface.
func (d *idleDiscovery) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	if d.answers.Add(1) > idleAfter {
		<-d.ctx.Done()
		return d.last, nil
	}
	lists, err := d.DiscoveryInterface.ServerPreferredResources()
	d.last = lists
	return lists, err
}
