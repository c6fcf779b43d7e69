package format

import (
	"cmp"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// APIVersion and Kind head every scenario file.
const (
	APIVersion = "kubestep.dev/v1alpha1"
	Kind       = "Scenario"
)

// The schedulers.
const (
	KubeScheduler   = "kube-scheduler"
	SimpleScheduler = "simple"

	UpstreamKubelet = "kubelet"
	SimpleKubelet   = "simple"
)

// What a scenario gets that does not say otherwise. Client limits and heartbeat are those of
// kube-controller-manager and kubelet.
const (
	DefaultSeed        = 1
	DefaultHorizon     = 30 * time.Minute
	DefaultNodeCount   = 3
	DefaultNodePrefix  = "node"
	DefaultPoolPods    = 1000 // pods per node when the scenario has no nodes field
	DefaultNodePods    = 110  // pods per node of a pool that does not say, as the kubelet's --max-pods
	DefaultReady       = 2 * time.Second
	DefaultTerminate   = time.Second
	DefaultExitCode    = 1
	DefaultProfile     = "idle"
	DefaultHeartbeat   = 10 * time.Second
	DefaultClientQPS   = 20.0
	DefaultClientBurst = 30
	DefaultScheduler   = KubeScheduler
	DefaultKubelet     = SimpleKubelet
	// Those of kube-controller-manager.
	DefaultLeaseDuration = 15 * time.Second
	DefaultRenewDeadline = 10 * time.Second
	DefaultRetryPeriod   = 2 * time.Second
	// DefaultConcurrency is the sum of two defaults of kube-apiserver.
	DefaultConcurrency = 600
	DefaultRead        = time.Millisecond
	DefaultWaitTimeout = 10 * time.Minute
	DefaultNamespace   = "default"
	HorizonMax         = 10 * 365 * 24 * time.Hour
	nodesMax           = 5000
	FirstAvailable     = "first-available" // value of a check's from
)

// DefaultStart is the date at which a run begins. StartMin is where virtual time itself begins, so
// nothing can be earlier.
var (
	DefaultStart = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	StartMin     = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	StartMax     = time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// applyDefaults fills what the file leaves out. An explicit zero, such as "ready: 0s", stays.
func (s *Scenario) applyDefaults() {
	spec := &s.Spec
	if !s.Has("spec.seed") {
		spec.Seed = DefaultSeed
	}
	if !s.Has("spec.horizon") {
		spec.Horizon = notation.Duration{Duration: DefaultHorizon}
	}
	setDefault(&spec.Kubernetes.ClientQPS, DefaultClientQPS)
	setDefault(&spec.Kubernetes.ClientBurst, DefaultClientBurst)
	spec.Kubernetes.Scheduler = cmp.Or(spec.Kubernetes.Scheduler, DefaultScheduler)
	spec.Kubernetes.Kubelet = cmp.Or(spec.Kubernetes.Kubelet, DefaultKubelet)
	s.defaultCluster(&spec.Cluster)
	applyDefaults(spec.Steps)
	for i := range spec.Branches {
		applyDefaults(spec.Branches[i].Steps)
	}
}

func applyDefaults(steps []Step) {
	for i := range steps {
		if d, ok := steps[i].Verb.(Defaulter); ok {
			d.ApplyDefaults()
		}
	}
}

func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

func (s *Scenario) defaultCluster(c *Cluster) {
	if !s.Has("spec.cluster.nodes") {
		c.Nodes = []NodePool{{Count: DefaultNodeCount, Pods: DefaultPoolPods}}
	}
	for i := range c.Nodes {
		pool := &c.Nodes[i]
		if pool.Prefix == "" {
			pool.Prefix = DefaultNodePrefix
		}
		if pool.Pods == 0 {
			pool.Pods = DefaultNodePods
		}
	}
	for i := range c.Pods {
		s.defaultPodLife(source.Item("spec.cluster.pods", i), &c.Pods[i])
	}
	// For the stand-in of the kubelet, every pod must have a life: the last rule is one that matches all.
	if n := len(c.Pods); s.RunsStandIn() && (n == 0 || c.Pods[n-1].Match != (PodMatch{})) {
		rest := PodLife{}
		s.defaultPodLife("", &rest)
		c.Pods = append(c.Pods, rest)
	}
	c.Latency.applyDefaults()
	if fair := c.PriorityAndFairness; fair != nil {
		fair.Concurrency = cmp.Or(fair.Concurrency, DefaultConcurrency)
		read := notation.Delay{Min: DefaultRead, Max: DefaultRead}
		if c.Latency.Service.Max == 0 {
			read = notation.Delay{}
		}
		setDefault(&fair.Read, read)
		c.SystemObjects = true
	}
	setDefault(&c.Heartbeat, notation.Duration{Duration: DefaultHeartbeat})
	for i := range c.Load {
		load := &c.Load[i]
		load.Namespace = cmp.Or(load.Namespace, DefaultNamespace)
		for j := range load.Levels {
			setDefault(&load.Levels[j].At, notation.Duration{})
		}
	}
}

// defaultPodLife completes a rule; an empty path is a rule that the file does not have.
func (s *Scenario) defaultPodLife(path string, life *PodLife) {
	if path == "" || !s.Has(path+".ready") {
		life.Ready = notation.Delay{Min: DefaultReady, Max: DefaultReady}
	}
	if path == "" || !s.Has(path+".terminate") {
		life.Terminate = notation.Delay{Min: DefaultTerminate, Max: DefaultTerminate}
	}
	if life.Fail != nil && life.ExitCode == 0 {
		life.ExitCode = DefaultExitCode
	}
}
