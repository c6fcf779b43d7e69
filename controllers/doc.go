// Package controllers runs the controllers of kube-controller-manager in a simulation.
//
// They are upstream's own: their descriptors, constructors and component configuration come from
// k8s.io/kubernetes/cmd/kube-controller-manager/app. What a real manager would set up around them - clients,
// informers, a RESTMapper - is made here from the simulation:
//
//	upstream's main                        here
//	options -> component config            NewConfig: the same defaults, overridden by the scenario
//	CreateControllerContext                newContext: clients and informers of the simulation
//	NewControllerDescriptors               the same
//	BuildControllers                       the same constructors, called in sorted order
//	InformerFactory.Start, RunControllers  the same
//
// Upstream calls the constructors in the order of a Go map, which differs from run to run; sorted, the
// order is one of those that a real manager may have.
package controllers
