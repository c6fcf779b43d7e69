// Package controllers runs the controllers of kube-controller-manager in a simulation.
//
// They are upstream's own: their descriptors, constructors and component configuration come from
// k8s.io/kubernetes/cmd/kube-controller-manager/app. What a real manager would set up around them - clients,
// informers, a RESTMapper, keys - is made here from the simulation:
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
// Three words name what runs. A process is what would be a process of the operating system in a cluster: it has
// its own clients, informers and queues, and it can crash, pause and start again alone. A manager is a process that
// runs kube-controller-manager; there may be several, of which one may be elected. A Custom controller is a process
// as well, which runs the function of a user. Start starts the Processes of a simulation.
//
// Upstream builds the controllers in the order of a Go map, which differs from start to start; sorted, the
// order is one of those that a real manager may have. The token controller comes first, as upstream promises.
// Each stage leaves a line in the trace (stage).
package controllers
