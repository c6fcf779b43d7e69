// Package kubeproxy says what the kube-proxy of a node does with the connections to a Service: which endpoints it sends them to, and
// why it leaves the others out.
//
// Upstream's trackers (k8s.io/kubernetes/pkg/proxy) read the Service and its EndpointSlices, and its CategorizeEndpoints chooses, with
// topology, terminating endpoints and traffic policies. That is all of kube-proxy that the iptables and the nftables mode share. Each
// mode then writes rules for the kernel, which no simulation has, so no process runs here: a decision depends on the objects alone.
//
//	decision := kubeproxy.NewObjects(service, slices).Decide(node)
//	for _, port := range decision.Ports {
//		fmt.Println(port.Name, port.Internal.Verdict, port.Internal.Chosen)
//	}
//
// Of the proxiers, a Route repeats three sentences: Local traffic without a local endpoint is dropped, traffic to a Service without
// any usable endpoint is rejected, and everything else is forwarded.
package kubeproxy
