// Package controllers runs the controllers of kube-controller-manager in a simulation.
//
// They are upstream's own: their descriptors, constructors and component configuration come from
// k8s.io/kubernetes/cmd/kube-controller-manager/app. This package creates from the simulation what a real manager sets
// up around them, such as clients, informers, a RESTMapper and keys:
//
//	upstream's main                        here
//	options -> component config            NewConfig: the same defaults, overridden by the scenario
//	createClientBuilders                   newClients: clients of the simulation
//	leaderElectAndRun                      election: client-go's elector, if a scenario asks for it
//	CreateControllerContext                newContext: informers of the simulation, and the same wait for the API server
//	NewControllerDescriptors               the same
//	BuildControllers                       the same, with one descriptor at a time, in sorted order
//	InformerFactory.Start, RunControllers  the same, with a jitter that the seed decides
//
// Three terms describe what runs. A process corresponds to a process of the operating system in a cluster: it has its
// own clients, informers and queues, and it can crash, pause and restart independently. A manager is a process that
// runs kube-controller-manager; there may be several, one of which may be elected. A Custom controller is a process
// that runs a user's function. Start starts the Processes of a simulation.
//
// Upstream builds the controllers in the order of a Go map, which differs between starts; sorted, the order is one of
// those that a real manager may have. The token controller comes first, as in upstream. Each stage writes a line to the
// trace (stage).
package controllers
