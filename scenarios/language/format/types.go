package format

import (
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Scenario is one file of the v1alpha1 format: a cluster, the steps that a user takes in it, and
// the checks that must hold. Field names are camelCase in YAML, as everywhere in Kubernetes.
//
// The struct tags of this file are the format: the decoder, the JSON Schema and the reference page
// are made from them.
//
//	yaml      name of the field; omitempty leaves it out when a scenario is written back
//	doc       one sentence for the schema and the reference
//	example   a value as it is written in YAML
//	required  the field must be there
//	enum      allowed values, or @name of a list in enum.go of package notation
//	min, max  bounds of a number
//	format    name: a DNS-1123 label; mapping: free-form, but no list or string
//	cel       the text is a CEL expression; waitFor: what a step waits for, which may be one; from: the start of a check
//	oneOf     exactly one of the fields with this tag must be there
//	needs     the field must not be there without the one of that name
type Scenario struct {
	APIVersion string   `yaml:"apiVersion" required:"true" example:"kubestep.dev/v1alpha1" doc:"Always kubestep.dev/v1alpha1."`
	Kind       string   `yaml:"kind" required:"true" example:"Scenario" doc:"Always Scenario."`
	Metadata   Metadata `yaml:"metadata" required:"true" example:"{name: my-scenario}" doc:"Name and labels of the scenario."`
	Spec       Spec     `yaml:"spec" required:"true" example:"{title: A cluster of three nodes}" doc:"What happens."`

	// File knows where each field is; nil for a scenario that was built in Go.
	*source.File `yaml:"-"`
}

// Metadata names a scenario. Labels group scenarios in listings; topic and level are the ones that
// the shipped scenarios use.
type Metadata struct {
	Name   string            `yaml:"name" required:"true" format:"name" example:"surge-3-unavailable-2" doc:"Name of the scenario, a DNS-1123 label."`
	Labels map[string]string `yaml:"labels,omitempty" example:"{topic: deployment, level: beginner}" doc:"Any labels. topic and level group the scenarios of kubestep list."`
	// Annotations hold what is not a reason to select a scenario: package annotation has the keys.
	Annotations map[string]string `yaml:"annotations,omitempty" example:"{kubestep.dev/status: open}" doc:"Any annotations. Those in the domain kubestep.dev describe a bug; they are listed below."`
}

// Spec is the body of a scenario.
type Spec struct {
	Title      string            `yaml:"title" required:"true" example:"A rolling update" doc:"One line that says what the scenario shows."`
	About      string            `yaml:"about,omitempty" doc:"Markdown: what to look for."`
	Seed       int64             `yaml:"seed" doc:"Seed of every draw: latencies, order of simultaneous events, names, uids. Default 1."`
	Futures    []Future          `yaml:"futures,omitempty" example:"[{from: 5.15s, seed: 42}]" doc:"Other seeds for the rest of the run. Runs that differ in it have one past: what happens before is the same. Default: the seed decides the whole run."`
	Start      time.Time         `yaml:"start,omitempty" example:"2026-03-29T00:00:00Z" doc:"Virtual date at which the run starts, RFC 3339. Default 2026-01-01T00:00:00Z and a fraction of a second that depends on the seed."`
	TimeZone   string            `yaml:"timeZone,omitempty" example:"Europe/Berlin" doc:"Local time zone of the control plane, by its name in the IANA time zone database. kube-controller-manager interprets the schedule of a CronJob without timeZone in it. The zone of the machine has no effect. Default UTC."`
	Horizon    notation.Duration `yaml:"horizon" example:"2h" doc:"Virtual length of the run. Default 30m."`
	Kubernetes Kubernetes        `yaml:"kubernetes,omitempty" doc:"Which controllers run, and how."`
	// Controllers are processes of their own; kubernetes.controllers are parts of kube-controller-manager.
	Controllers []string    `yaml:"controllers,omitempty" example:"[podcounter]" doc:"Controllers outside kube-controller-manager, by name: those that come with kubestep, such as podcounter and sitekeeper, and those that a Go test provides."`
	Cluster     Cluster     `yaml:"cluster,omitempty" doc:"Nodes, pod rules and latencies."`
	Faults      []FaultRule `yaml:"faults,omitempty" example:"[{request: {verb: update, resource: deployments}, fail: Conflict, nth: 2, times: 1}]" doc:"Fault rules that are independent of the steps, in the form of the verb fault."`
	Steps       []Step      `yaml:"steps" example:"[]" doc:"What the user does, in order. Default: nothing, which is a cluster for kubestep serve."`
	Branches    []Branch    `yaml:"branches,omitempty" example:"[{title: The node dies, of: [node/node-1], at: 5s, steps: [{node: {fail: node-1}}]}]" doc:"Branches that the scenario prepares for its readers: kubestep open offers them, and an exported page has their runs. They are no part of the run itself."`
	Checks      []Check     `yaml:"checks,omitempty" doc:"What must hold during the run or at its end."`
	Invariants  Invariants  `yaml:"invariants,omitempty" example:"{expect: [replicaset-pods]}" doc:"Exceptions to the rules that every run checks; see invariants.md."`
	MayDiffer   []MayDiffer `yaml:"mayDiffer,omitempty" example:"[{resource: jobs, field: status.conditions*, because: Pods that fail count.}]" doc:"Exceptions to the rules that faults which are over, and history, change nothing in the end; see divergence.md."`
}

// MayDiffer is in what a run may end otherwise than without its faults.
type MayDiffer struct {
	Resource  string `yaml:"resource,omitempty" example:"jobs" doc:"Kind of the objects, as kubectl accepts it. Default: all."`
	Namespace string `yaml:"namespace,omitempty" example:"default" doc:"Their namespace. Default: all."`
	Name      string `yaml:"name,omitempty" example:"web-*" doc:"Glob that matches their names. Default: all."`
	Field     string `yaml:"field,omitempty" example:"status.conditions*" doc:"Glob that matches the paths of fields as explore prints them. Default: all fields, and how many objects there are."`
	Because   string `yaml:"because,omitempty" example:"Pods that fail count." doc:"The reason, for those who read the scenario."`
}

// Future is another seed for the rest of a run.
type Future struct {
	From   *notation.Duration `yaml:"from,omitempty" oneOf:"true" example:"5.15s" doc:"Virtual time from which the seed decides every draw."`
	When   string             `yaml:"when,omitempty" cel:"true" oneOf:"true" example:"deployment('web').status.updatedReplicas == 5" doc:"CEL condition; the seed decides every draw from the write on that makes it true."`
	Record *int64             `yaml:"record,omitempty" oneOf:"true" example:"412" doc:"Number of a record; the seed decides every draw after the event that makes it, and not before time zero."`
	Seed   int64              `yaml:"seed" required:"true" example:"42" doc:"The seed. If it is that of the run already, nothing changes."`
}

// Invariants are exceptions to the checks that every run makes by itself.
type Invariants struct {
	Expect []string `yaml:"expect,omitempty" example:"[replicaset-pods]" doc:"Invariants that this scenario breaks, because it shows a bug or what Kubernetes does not guarantee. The run fails if one of them holds."`
	Skip   []string `yaml:"skip,omitempty" example:"[convergence]" doc:"Invariants that are not checked. The summary says so."`
}

// Kubernetes configures kube-controller-manager.
type Kubernetes struct {
	FeatureGates   map[string]bool `yaml:"featureGates,omitempty" example:"{MaxUnavailableStatefulSet: true}" doc:"Feature gates, as in --feature-gates."`
	Controllers    []string        `yaml:"controllers,omitempty" example:"['*', -garbage-collector-controller]" doc:"Controllers to run, in the syntax of kube-controller-manager --controllers. Default: the workload controllers."`
	Admission      []string        `yaml:"admission,omitempty" example:"['*', -LimitRanger]" doc:"Admission plugins of kube-apiserver, in the syntax of controllers. Default: those that kube-apiserver runs by default; ServiceAccount, TaintNodesByCondition, ResourceQuota and StorageObjectInUseProtection only if the controllers that belong to them run."`
	Config         *yaml.Node      `yaml:"config,omitempty" format:"mapping" example:"{deploymentController: {concurrentDeploymentSyncs: 5}}" doc:"Fields of KubeControllerManagerConfiguration, such as deploymentController.concurrentDeploymentSyncs."`
	ClientQPS      *float64        `yaml:"clientQPS,omitempty" min:"0" doc:"Requests per second that each controller's client may send (--kube-api-qps). Default 20; 0 means no limit."`
	ClientBurst    *int            `yaml:"clientBurst,omitempty" min:"1" doc:"Burst of each controller's client (--kube-api-burst). Default 30."`
	Replicas       int             `yaml:"replicas,omitempty" min:"1" max:"9" example:"2" doc:"Number of kube-controller-managers. If there are several, they elect a leader. Their names are kube-controller-manager-1 and so on, and the controllers of the second one are deployment-controller@2 and so on. Default 1."`
	LeaderElection *LeaderElection `yaml:"leaderElection,omitempty" example:"{leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}" doc:"Durations of the leader election. With one replica, this makes it elect itself."`
	// Scheduler and the two fields below it are about kube-scheduler, all others about kube-controller-manager.
	Scheduler         string     `yaml:"scheduler,omitempty" enum:"kube-scheduler,simple" example:"kube-scheduler" doc:"Which scheduler binds the Pods. kube-scheduler is upstream's, a process of its own; simple is a stand-in that looks at readiness, taints, node affinity and the number of Pods, and needs less time. Default kube-scheduler."`
	SchedulerConfig   *yaml.Node `yaml:"schedulerConfig,omitempty" format:"mapping" example:"{profiles: [{schedulerName: default-scheduler, plugins: {score: {disabled: [{name: ImageLocality}]}}}]}" doc:"Fields of KubeSchedulerConfiguration, such as profiles, podMaxBackoffSeconds or leaderElection."`
	SchedulerReplicas int        `yaml:"schedulerReplicas,omitempty" min:"1" max:"9" example:"2" doc:"Number of kube-schedulers. If there are several, they elect a leader. Their names are kube-scheduler-1 and so on. With one, schedulerConfig: {leaderElection: {leaderElect: true}} makes it elect itself. Default 1."`
	// Kubelet is that of the nodes of pools that name none, and KubeletConfig is for all of upstream's.
	Kubelet       string     `yaml:"kubelet,omitempty" enum:"kubelet,simple" example:"kubelet" doc:"Which kubelet runs the Pods of each node. kubelet is upstream's, a process of its own on each node, with a container runtime in memory that runs spec.cluster.programs; simple is a stand-in with the rules of spec.cluster.pods, which needs less time. A pool of cluster.nodes can have the other one. Default simple."`
	KubeletConfig *yaml.Node `yaml:"kubeletConfig,omitempty" format:"mapping" example:"{serializeImagePulls: false, maxPods: 10}" doc:"Fields of KubeletConfiguration, such as maxPods, evictionHard or crashLoopBackOff."`
	LogLevel      *int       `yaml:"logLevel,omitempty" min:"0" max:"10" doc:"Verbosity of the controllers' own log lines in the trace (-v). Default 0: only errors and V(0) lines."`
}

// LeaderElection sets the times of the election (--leader-elect-lease-duration and so on).
type LeaderElection struct {
	LeaderElect   *bool              `yaml:"leaderElect,omitempty" doc:"false makes all replicas work at the same time, which a real cluster must avoid. Default true."`
	LeaseDuration *notation.Duration `yaml:"leaseDuration,omitempty" example:"15s" doc:"How long a standby replica waits after the last renewal that it saw before it acquires the lease; whole seconds. Default 15s."`
	RenewDeadline *notation.Duration `yaml:"renewDeadline,omitempty" example:"10s" doc:"How long the leader tries to renew the lease before it gives up and exits. Default 10s."`
	RetryPeriod   *notation.Duration `yaml:"retryPeriod,omitempty" floor:"100ms" example:"2s" doc:"Time between two attempts. Default 2s."`
}

// Cluster is the simulation that the controllers act on.
type Cluster struct {
	Nodes      []NodePool  `yaml:"nodes" doc:"Groups of identical nodes. Default: one group of 3. An empty list is a cluster without nodes."`
	Pods       []PodLife   `yaml:"pods,omitempty" doc:"Pod rules: how long Pods take to become ready, to run and to stop. The first rule that matches applies; without one, a Pod is ready after 2s."`
	Programs   []Program   `yaml:"programs,omitempty" example:"[{image: 'web:v2', exits: {after: 10s, code: 1}}]" doc:"What runs in the containers of images, for kubernetes.kubelet: kubelet. The first program that matches an image runs; without one, a container listens at once, answers each request with 200, and runs until it is stopped."`
	CSIDrivers []CSIDriver `yaml:"csiDrivers,omitempty" example:"[{name: disk.example.com, controllerPublishVolume: {takes: 2s}}]" doc:"CSI drivers, for kubernetes.kubelet: kubelet. They create, attach and mount volumes."`
	DRADrivers []DRADriver `yaml:"draDrivers,omitempty" example:"[{name: gpu.example.com, nodePrepareResources: {takes: 2s}}]" doc:"Drivers for dynamic resource allocation, for kubernetes.kubelet: kubelet. They prepare the devices of ResourceClaims on nodes. Their ResourceSlices are objects."`
	Latency    Latency     `yaml:"latency,omitempty" doc:"Latency of requests and watch events."`
	// Authorization is in the form of kube-apiserver's AuthorizationConfiguration, which calls it a mode, too.
	Authorization Authorization `yaml:"authorization,omitempty" example:"{mode: RBAC}" doc:"Whether the API server asks for roles."`
	// ServiceSubnet is kubeadm's networking.serviceSubnet.
	ServiceSubnet   string `yaml:"serviceSubnet,omitempty" example:"10.96.0.0/16,fd00:10:96::/112" doc:"Range of the cluster IPs of Services, as kubeadm's networking.serviceSubnet: one range, or for dual-stack one of each IP family, the default family first. Default 10.96.0.0/12."`
	Definitions     string `yaml:"definitions,omitempty" doc:"Manifests of CustomResourceDefinitions that are established before time zero, or the files with them, relative to the scenario file. A step can create others." example:"../config/crd/bases/*.yaml"`
	CustomResources bool   `yaml:"customResources,omitempty" doc:"Serve CustomResourceDefinitions although the scenario has none, for clients of kubestep serve that create them. Default: only if the scenario has definitions."`
	ManagedFields   bool   `yaml:"managedFields,omitempty" doc:"Record who manages each field of an object (metadata.managedFields), so that server-side apply finds conflicts with all other writes. Default: only server-side apply, and requests over HTTP, are recorded."`
	SystemObjects   bool   `yaml:"systemObjects,omitempty" doc:"Create the objects that kube-apiserver makes for itself, as in a new cluster: FlowSchemas, PriorityLevelConfigurations and APIServices. Default: none of them, since no controller looks at them."`
	// PriorityAndFairness is nil unless the scenario has the key.
	PriorityAndFairness *PriorityAndFairness `yaml:"priorityAndFairness,omitempty" example:"{concurrency: 20}" doc:"API Priority and Fairness: a request of a client waits in the queue of its flow until its priority level has a seat, or is refused with 429, as FlowSchemas and PriorityLevelConfigurations say. It implies systemObjects. Default: no request waits for another one, but for the writes that latency.service is about."`
	KubeletDetails      bool                 `yaml:"kubeletDetails,omitempty" doc:"Kubelets report what people read, and controllers hardly: the versions, ids and images of nodes, the ids of containers and images, all conditions of Pods with the generation that they are about, and Events. The components of the control plane have Leases in kube-system. Default: none of it, so traces are shorter."`
	Objects             string               `yaml:"objects,omitempty" doc:"Manifests of objects that exist from the start, with their uids, owner references, times and status, without validation. An object with a resourceVersion keeps it, unless the one before has a higher one. Nodes among them get a kubelet. The controllers then start at time zero, not before, and the steps start at the same time. kubestep init creates them from a dump of a cluster."`
	Heartbeat           *notation.Duration   `yaml:"heartbeat,omitempty" floor:"100ms" doc:"Period of node lease renewals; 0s turns them off. Default 10s, as the kubelet's. With a horizon of a week or more, or 500 nodes or more, the heartbeats of nodes are left out until somebody watches Leases, as node-lifecycle-controller does; a record says so."`
	Load                []PodLoad            `yaml:"load,omitempty" example:"[{name: web, pods: app=web, metric: cpu, levels: [{total: 500m}]}]" doc:"Usage of Pods, and metrics of other objects and of other systems, for HorizontalPodAutoscalers. Without it, the cluster has no metrics-server."`
	Metrics             Metrics              `yaml:"metrics,omitempty" example:"{resolution: 60s, delay: 30s}" doc:"How old metrics are."`
}

// PriorityAndFairness configures API Priority and Fairness.
type PriorityAndFairness struct {
	Concurrency int             `yaml:"concurrency,omitempty" min:"1" max:"10000" example:"20" doc:"Number of requests that the API server executes at the same time, which the priority levels share: the sum of --max-requests-inflight and --max-mutating-requests-inflight. Default 600."`
	Read        *notation.Delay `yaml:"read,omitempty" example:"1ms..3ms" doc:"How long the API server works on a request that only reads, and keeps its seat; for a write, this is latency.service. Default 1ms; 0s if latency.service is 0s."`
}

// Metrics is how metrics-server and the adapters of other metrics are configured.
type Metrics struct {
	Resolution *notation.Duration `yaml:"resolution,omitempty" floor:"1s" example:"60s" doc:"Time between two samples, as --metric-resolution of metrics-server. Default 15s."`
	Delay      *notation.Duration `yaml:"delay,omitempty" example:"30s" doc:"Time from a sample until it is served, as when metrics pass through other systems. Default 0s."`
}

// Authorization says who may do what.
type Authorization struct {
	Mode string `yaml:"mode" required:"true" enum:"AlwaysAllow,RBAC" example:"RBAC" doc:"AlwaysAllow, or RBAC: requests need a role. The cluster then has the ClusterRoles and bindings of every new cluster; each controller has the service account of its name, a kubelet may do what the Node authorizer allows, and kubectl is an administrator. Default AlwaysAllow."`
}

// PodLoad is one metric of some pods.
type PodLoad struct {
	Name      string            `yaml:"name" required:"true" format:"name" example:"web" doc:"Name that the verb load refers to."`
	Pods      string            `yaml:"pods,omitempty" oneOf:"true" example:"app=web" doc:"Label selector of the Pods that the load is about."`
	Object    string            `yaml:"object,omitempty" oneOf:"true" example:"service/web" doc:"KIND/NAME or NAMESPACE/KIND/NAME of the object that the metric describes, for HorizontalPodAutoscalers with a metric of type Object."`
	External  map[string]string `yaml:"external,omitempty" oneOf:"true" example:"{queue: orders}" doc:"Labels of a metric that describes no object, such as the length of a queue, for metrics of type External."`
	Namespace string            `yaml:"namespace,omitempty" format:"name" doc:"Namespace of the Pods, or of the external metric. Default: default."`
	Metric    string            `yaml:"metric" required:"true" example:"cpu" doc:"With pods: cpu or memory, which metrics.k8s.io serves. Otherwise the name of any other metric, which custom.metrics.k8s.io serves, and with external external.metrics.k8s.io."`
	Levels    []LoadLevel       `yaml:"levels" required:"true" example:"[{total: 500m}, {at: 2m, total: 2}]" doc:"The load and the times at which it changes, in chronological order."`
}

// LoadLevel is how high a load is from some time on.
type LoadLevel struct {
	At     *notation.Duration `yaml:"at,omitempty" example:"2m" doc:"Virtual time from which the level applies. Default 0s."`
	Total  notation.Quantity  `yaml:"total,omitempty" oneOf:"true" example:"500m" doc:"Total usage of all Pods, which the Pods that are Ready share equally; or the value of the metric of an object or of an external metric."`
	PerPod notation.Quantity  `yaml:"perPod,omitempty" oneOf:"true" example:"200m" doc:"Usage of each running Pod."`
}

// NodePool is a number of equal nodes, named PREFIX-1, PREFIX-2 and so on across all pools.
type NodePool struct {
	Count      int                `yaml:"count" required:"true" min:"1" max:"5000" example:"3" doc:"Number of nodes, 1 to 5000."`
	Prefix     string             `yaml:"prefix,omitempty" format:"name" doc:"Node names are PREFIX-N. Default node."`
	Zone       string             `yaml:"zone,omitempty" example:"a" doc:"Label topology.kubernetes.io/zone."`
	Labels     map[string]string  `yaml:"labels,omitempty" doc:"Additional node labels."`
	CPU        notation.Quantity  `yaml:"cpu,omitempty" example:"4" doc:"CPUs of a node, which the requests of its Pods share. Only kube-scheduler looks at it. Default 32."`
	Memory     notation.Quantity  `yaml:"memory,omitempty" example:"16Gi" doc:"Memory of a node. Only kube-scheduler looks at it. Default 256Gi."`
	Disk       notation.Quantity  `yaml:"disk,omitempty" example:"20Gi" doc:"Disk of a node, with upstream's kubelet: images, containers and volumes share it. Default 100Gi."`
	Kubelet    string             `yaml:"kubelet,omitempty" enum:"kubelet,simple" example:"kubelet" doc:"Which kubelet runs the Pods of these nodes, as in kubernetes.kubelet, which is the default."`
	StaticPods string             `yaml:"staticPods,omitempty" doc:"Manifests of Pods that are on each of the nodes, with upstream's kubelet: it runs them without the API server, in which it creates a mirror of each, NAME-NODE."`
	Pods       int                `yaml:"pods,omitempty" min:"1" max:"5000" doc:"Maximum number of Pods on a node. Default 110; 1000 in the default group."`
	Devices    map[string]int     `yaml:"devices,omitempty" example:"{example.com/gpu: 4}" doc:"Devices of a node, by the resource of their device plugin. They need upstream's kubelet."`
	Draw       *notation.PoolDraw `yaml:"draw,omitempty" example:"{count: 1..5}" doc:"Range from which the seed draws the number of nodes, so that kubestep explore tries many."`
}

// PodLife says how pods that match it start, run and end.
type PodLife struct {
	Match     PodMatch        `yaml:"match,omitempty" doc:"The Pods that the rule applies to. Default: all."`
	Ready     notation.Delay  `yaml:"ready" example:"1s..20s" doc:"From binding to Running and Ready: a duration, a range MIN..MAX, or never. Default 2s."`
	Complete  *notation.Delay `yaml:"complete,omitempty" example:"30s" doc:"From Running to Succeeded (exit code 0). Default: never."`
	Fail      *notation.Delay `yaml:"fail,omitempty" doc:"From Running to Failed. Default: never."`
	ExitCode  int             `yaml:"exitCode,omitempty" needs:"fail" min:"1" max:"255" doc:"Exit code of a failing container. Default 1."`
	Terminate notation.Delay  `yaml:"terminate" example:"30s" doc:"From deletionTimestamp to removal: a duration, a range, or never. Default 1s."`
}

// PodMatch selects pods; all fields given must match. Image, Name and Node are globs as of
// package glob.
type PodMatch struct {
	Image         string `yaml:"image,omitempty" example:"'*:broken'" doc:"Glob that matches the image of any container, such as *:broken."`
	Namespace     string `yaml:"namespace,omitempty" format:"name" doc:"Namespace, exact."`
	Name          string `yaml:"name,omitempty" doc:"Glob that matches the name of the Pod."`
	Node          string `yaml:"node,omitempty" doc:"Glob that matches the name of the node."`
	Labels        string `yaml:"labels,omitempty" example:"app=web,tier!=db" doc:"Label selector, such as app=web,tier!=db."`
	OwnerKind     string `yaml:"ownerKind,omitempty" doc:"Kind of the controlling owner, such as Job."`
	RestartPolicy string `yaml:"restartPolicy,omitempty" enum:"Always,OnFailure,Never" example:"Never" doc:"restartPolicy of the Pod. Pods that are meant to end have Never or OnFailure."`
}

// Latency gives the times that requests and watch events take. Zero ranges are the lock-step model:
// an instant per burst.
type Latency struct {
	Profile  string          `yaml:"profile,omitempty" enum:"idle,loaded,slow-etcd" example:"loaded" doc:"Set of values for the other fields. Default idle."`
	Request  *notation.Delay `yaml:"request,omitempty" example:"5ms" doc:"From the call of a client to its arrival at the API server. Default: that of the profile."`
	Service  *notation.Delay `yaml:"service,omitempty" example:"2ms..5ms" doc:"How long the API server and etcd work on a write. They work on two writes at the same time; others wait. Default: that of the profile; 0s if request is 0s."`
	Response *notation.Delay `yaml:"response,omitempty" example:"5ms" doc:"From the execution of a request to the arrival of its response at the client. Default: the value of request if that is set, otherwise that of the profile."`
	Watch    *notation.Delay `yaml:"watch,omitempty" example:"1ms..10ms" doc:"From a write to the arrival of its watch event at an informer. Each watch has one lag, which changes slowly within the range. Default: that of the profile."`
}

// Step is one thing that happens: an optional time and exactly one verb. Without a time a step
// follows the one before it at once. The time is at or after, and with when the step happens at
// the first moment from then on at which the condition is true.
//
// A file has the verb between when and fails, and Load is given the verbs that there are.
type Step struct {
	At    *notation.Duration `yaml:"at,omitempty" example:"1m30s" doc:"Virtual time since the start at which the step happens."`
	After *notation.Duration `yaml:"after,omitempty" example:"5s" doc:"Virtual time since the end of the previous step."`
	When  string             `yaml:"when,omitempty" cel:"true" example:"deployment('web').status.availableReplicas >= 3" doc:"CEL condition; the step happens as soon as it is true."`
	// Concurrent steps are taken beside the others.
	Concurrent bool `yaml:"concurrent,omitempty" example:"true" doc:"Take the step at its time, whatever the other steps do: while one of them waits, too. Default: steps are taken one after the other, each when the one before it has ended."`

	Draw *notation.StepDraw `yaml:"draw,omitempty" example:"{at: 20s..40s, replicas: 2..9}" doc:"Ranges from which the seed draws when the step happens, and how much it is about, so that kubestep explore tries many."`

	// Verb is what happens. In the file it is a field with the verb's name.
	Verb Verb `yaml:"-"`
	// Comment is a line that Encode writes above the step. Load does not read comments.
	Comment string `yaml:"-"`

	FieldManager string `yaml:"fieldManager,omitempty" example:"ci" doc:"Who manages the fields that the request writes, as kubectl --field-manager. Default: the manager of the command of kubectl, such as kubectl-client-side-apply. It matters with cluster.managedFields."`
	// Fails makes a refused request the expected outcome; any other failure of a step ends the run.
	Fails string `yaml:"fails,omitempty" enum:"@refusals" example:"Conflict" doc:"Status reason that the step must fail with, such as Invalid, Conflict, NotFound or AlreadyExists; Unknown for a refusal without one."`
}

// Branch is a branch of the scenario that a reader can choose: the same run with more steps at one time.
type Branch struct {
	Title string             `yaml:"title" required:"true" example:"The node dies" doc:"One line that says what is different."`
	About string             `yaml:"about,omitempty" example:"The Pods stay for five minutes." doc:"Markdown: what a reader learns of the comparison."`
	Of    []string           `yaml:"of" required:"true" example:"[node/node-1]" doc:"What a reader points at to find the branch: names of programs, such as deployment-controller, and targets, whose names may be globs, such as pod/web-* and node/node-1."`
	At    *notation.Duration `yaml:"at" required:"true" example:"5s" doc:"Virtual time at which the branch begins: its steps are taken then, whatever the others do."`
	Steps []Step             `yaml:"steps" required:"true" example:"[{node: {fail: node-1}}]" doc:"What happens then, in addition. These steps have no times of their own."`
}

// Check holds exactly one of always, eventually and at-end.
type Check struct {
	Name       string `yaml:"name" required:"true" format:"name" example:"enough-available" doc:"Name of the check in reports, a DNS-1123 label."`
	Always     string `yaml:"always,omitempty" cel:"true" oneOf:"true" example:"deployment('web').status.availableReplicas >= 8" doc:"CEL condition that must hold after every write."`
	Eventually string `yaml:"eventually,omitempty" cel:"true" oneOf:"true" doc:"CEL condition that must hold at least once."`
	AtEnd      string `yaml:"at-end,omitempty" cel:"true" oneOf:"true" doc:"CEL condition that must hold at the end."`
	From       string `yaml:"from,omitempty" cel:"from" needs:"always" doc:"With always: CEL condition that starts it, or first-available (the first Deployment that became available)."`
	Until      string `yaml:"until,omitempty" cel:"true" needs:"always" doc:"With always: CEL condition that ends it."`
}
