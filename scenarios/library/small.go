package library

// Small is a scenario of which the orders can be enumerated (package scenarios/explore/sweep/orders) in seconds. In the run in which all
// decisions are 0, it has at most about thirty of them, or is worth the time: the last ones have Pods that controllers make.
type Small struct {
	Name string
	// Bound is how many decisions of a run may be other than 0, so that the runs take a few seconds of processor time.
	Bound int
	// Slow means that they take longer, some ten seconds.
	Slow bool
}

// AllSmall are the small scenarios, from single objects to a rollout.
var AllSmall = []Small{
	{Name: "bootstrap-tokens", Bound: 4}, {Name: "node-ipam", Bound: 2}, {Name: "service-cidr", Bound: 2},
	{Name: "clusterrole-aggregation", Bound: 2}, {Name: "volume-attributes-class", Bound: 2}, {Name: "serviceaccount", Bound: 2},
	{Name: "limit-range", Bound: 1}, {Name: "endpointslice-mirroring", Bound: 1},
	{Name: "replication-controller", Bound: 1, Slow: true}, {Name: "one-replica", Bound: 1, Slow: true},
	{Name: "deployment-two-replicas", Bound: 1, Slow: true},
}
