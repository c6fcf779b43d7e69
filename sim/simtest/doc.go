// Package simtest gives a Go test a control plane in virtual time. A test that starts an API server and an etcd with
// envtest runs on it instead, without binaries, and an hour of waiting takes no time:
//
//	func TestReloader(t *testing.T) {
//		synctest.Test(t, func(t *testing.T) {
//			cluster := simtest.Start(t, simtest.Options{Seed: 1})
//			client := kubernetes.NewForConfigOrDie(cluster.Config)
//			go reloader.Run(t.Context(), client)
//			...
//		})
//	}
//
// The API server is that of package sim: upstream's registries and handlers over a store in memory. The test and what it
// starts are clients of it, on goroutines of their own. Each of their requests is an event of the simulation, with a
// latency that the seed draws: one seed gives one order of requests and watch events, other seeds give others, and faults
// give those that seldom happen.
//
// Like envtest, the control plane has an API server only: no controllers, no scheduler, no nodes. Options add nodes, with
// kubelets and a scheduler that run what is bound to them, and components. The controllers of kube-controller-manager
// are a component of package controllers, which this package does not depend on:
//
//	simtest.Options{Nodes: 3, Components: []simtest.Component{controllers.Component("deployment-controller")}}
//
// What a bubble of testing/synctest does not allow, a test on simtest must not do: call t.Run or t.Parallel inside of
// it, use the network, or hold a mutex during a request. A goroutine that the test leaves running when it ends fails the
// test; t.Context ends in time to stop them.
//
// The package is meant for other modules, so its types are its own: docs/reference/stability.md.
package simtest
