package runner

import (
	"time"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/process/machine"
)

// startAt is the date at which a run with a seed begins. A user does not act at the beginning of a second, and the times
// in objects have no fractions, so a date that the scenario does not set gets a fraction of a second from the seed.
func startAt(s *format.Scenario, seed int64) time.Time {
	if !s.Spec.Start.IsZero() {
		return s.Spec.Start
	}
	return format.DefaultStart.Add(time.Duration(engine.Hash(uint64(seed), "start")%1000) * time.Millisecond)
}

// What a start needs, measured with all controllers (TestTheClusterIsUpAtTimeZero).
const (
	// startWaits is what the controllers wait for without a request: a cache that waits for others looks every 100 ms.
	startWaits = 700 * time.Millisecond
	// startTrips and startEvents are the numbers of writes and watch events that wait for one another.
	startTrips, startEvents = 15, 4
	// startRequests is how many requests a controller sends to which its rate limit applies, and startPerNode how many
	// node-lifecycle-controller sends for each node: it removes taints and writes an Event.
	startRequests, startPerNode = 10, 5
)

// startUp is how long before time zero the simulation begins: so long that at time zero the cluster is up. The caches are
// filled, the nodes have no taints, and the clients may send a burst of requests. Where objects exist from the start, what
// the controllers do about them is worth seeing, so the controllers start at time zero.
func startUp(s *format.Scenario) time.Duration {
	cluster := s.Spec.Cluster
	if cluster.Objects != "" {
		return serving(s)
	}
	latency := cluster.Latency
	trip := latency.Request.Max + latency.Service.Max + latency.Response.Max
	needed := startWaits + startTrips*trip + startEvents*latency.Watch.Max + max(throttled(s, startRequests), untainting(s))
	return (needed + time.Second - 1).Truncate(time.Second) + serving(s)
}

// serving is how long the API server runs before the controllers start, so that it serves the kinds that are defined from the
// start when they ask which kinds there are: it is not ready, and kube-controller-manager waits for it, until it has read the
// definitions.
func serving(s *format.Scenario) time.Duration {
	cluster := s.Spec.Cluster
	if !cluster.CustomResources && len(definition.Read(cluster.Definitions, cluster.Objects)) == 0 {
		return 0
	}
	trip := cluster.Latency.Request.Max + cluster.Latency.Response.Max
	return (2*trip + 4*cluster.Latency.Watch.Max + time.Second).Truncate(time.Second)
}

// throttled is how long client-side rate limits delay the last of n requests of a client.
func throttled(s *format.Scenario, n int) time.Duration {
	qps, burst := *s.Spec.Kubernetes.ClientQPS, *s.Spec.Kubernetes.ClientBurst
	if qps == 0 || n <= burst {
		return 0
	}
	return time.Duration(float64(n-burst) / qps * float64(time.Second))
}

// untainting is how long node-lifecycle-controller takes for the nodes, until it may send a burst again.
func untainting(s *format.Scenario) time.Duration {
	if !controllers.IsEnabled(s.Spec.Kubernetes.Controllers, names.NodeLifecycleController) {
		return 0
	}
	requests := len(s.Spec.Cluster.EachNode()) * startPerNode
	service := s.Spec.Cluster.Latency.Service
	served := time.Duration(requests) * (service.Min + service.Max) / 2 / network.ServerWorkers
	sent := throttled(s, requests)
	if sent > 0 {
		sent += time.Duration(float64(*s.Spec.Kubernetes.ClientBurst) / *s.Spec.Kubernetes.ClientQPS * float64(time.Second))
	}
	return max(sent, served)
}

// zoneOf is the local time zone of a scenario's control plane.
func zoneOf(s *format.Scenario) (*time.Location, error) {
	zone, err := machine.Zone(s.Spec.TimeZone)
	if err != nil {
		return nil, s.Errorf("spec.timeZone", "Europe/Berlin", "%v", err)
	}
	return zone, nil
}

// HoldZone makes the scenario's time zone the local one of the process, until the function that it returns is called. A
// run does this by itself; whoever starts goroutines that decode dates longer than it lasts, such as connections, does it
// before. A zone that does not exist is UTC here, and an error of the run.
func HoldZone(s *format.Scenario) (restore func()) {
	zone, err := zoneOf(s)
	if err != nil {
		zone = nil
	}
	return machine.Hold(zone)
}
