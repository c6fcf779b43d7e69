// Package traffic says where connections to a Service go, at a moment of a run or during all of it.
//
// At a moment, At says for each node which endpoints its kube-proxy chooses, and why it leaves the others out. For all of a run, Course
// says how long nodes still choose a Pod that is being deleted, whether its container still runs then, and when nodes have no endpoint
// at all. Package kubeproxy decides, from the objects that the API server has: a kube-proxy that gets changes late is not simulated.
//
//	moment := traffic.New(rec, service).At(seq, at)
//	course := traffic.New(rec, service).Course()
package traffic
