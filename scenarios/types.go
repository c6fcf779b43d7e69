package scenarios

import (
	"time"

	"gopkg.in/yaml.v3"
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
//	enum      allowed values, or @name of a list in enum.go
//	min, max  bounds of a number
//	format    name: a DNS-1123 label; mapping: free-form, but no list or string
//	cel       the text is a CEL expression
//	verb      the field is the verb of a step; request: it asks the API server, which may refuse
type Scenario struct {
	APIVersion string   `yaml:"apiVersion" required:"true" example:"kubestep.dev/v1alpha1" doc:"Always kubestep.dev/v1alpha1."`
	Kind       string   `yaml:"kind" required:"true" example:"Scenario" doc:"Always Scenario."`
	Metadata   Metadata `yaml:"metadata" required:"true" example:"{name: my-scenario}" doc:"Name and labels of the scenario."`
	Spec       Spec     `yaml:"spec" required:"true" example:"{title: A rolling update, steps: []}" doc:"What happens."`

	// File is the path that the scenario was read from, as the user wrote it.
	File string `yaml:"-"`
	// positions maps a field path such as spec.steps[2].scale.target to where it stands in File.
	positions map[string]Position
	// texts holds every string by its field path, and lines the source: together they turn a line of
	// a manifest into a line of File.
	texts map[string]*sourceText
	lines []string
}

// Metadata names a scenario. Labels group scenarios in listings; topic and level are the ones that
// the shipped scenarios use.
type Metadata struct {
	Name   string            `yaml:"name" required:"true" format:"name" example:"surge-3-unavailable-2" doc:"Name of the scenario, a DNS-1123 label."`
	Labels map[string]string `yaml:"labels,omitempty" example:"{topic: deployment, level: beginner}" doc:"Free labels. topic and level group the shipped scenarios."`
	// Annotations hold what is no reason to select a scenario: annotations.go has the keys.
	Annotations map[string]string `yaml:"annotations,omitempty" example:"{kubestep.dev/status: open}" doc:"Free annotations. Those in the domain kubestep.dev tell of a bug, and are listed below."`
}

// Spec is the body of a scenario.
type Spec struct {
	Title      string     `yaml:"title" required:"true" example:"A rolling update" doc:"One line that names what is shown."`
	About      string     `yaml:"about,omitempty" doc:"Markdown: what to watch for."`
	Seed       int64      `yaml:"seed" doc:"Seed of every draw: latencies, order of simultaneous events, names, uids. Default 1."`
	Start      time.Time  `yaml:"start" example:"2026-03-29T00:00:00Z" doc:"Virtual date at which the run begins, RFC 3339. Default 2026-01-01T00:00:00Z."`
	Horizon    Duration   `yaml:"horizon" example:"2h" doc:"Virtual length of the run. Default 30m."`
	Kubernetes Kubernetes `yaml:"kubernetes,omitempty" doc:"Which controllers run, and how."`
	// Controllers are processes of their own; kubernetes.controllers are parts of kube-controller-manager.
	Controllers []string    `yaml:"controllers,omitempty" example:"[podcounter]" doc:"Controllers beside kube-controller-manager, by name: podcounter, which comes with kubestep, and those that a Go test brings."`
	Cluster     Cluster     `yaml:"cluster,omitempty" doc:"Nodes, pod life and latencies."`
	Faults      []FaultRule `yaml:"faults,omitempty" example:"[{request: {verb: update, resource: deployments}, fail: Conflict, nth: 2, times: 1}]" doc:"What goes wrong, whatever the steps do: rules in the form of the verb fault."`
	Steps       []Step      `yaml:"steps" required:"true" example:"[{note: Hello}]" doc:"What the user does, in order."`
	Checks      []Check     `yaml:"checks,omitempty" doc:"What must hold during the run or at its end."`
	Invariants  Invariants  `yaml:"invariants,omitempty" example:"{expect: [replicaset-pods]}" doc:"Exceptions to what must hold in every run; see invariants.md."`
}

// Invariants are exceptions to the checks that every run makes by itself.
type Invariants struct {
	Expect []string `yaml:"expect,omitempty" example:"[replicaset-pods]" doc:"Invariants that this scenario breaks: it is about a bug, or about what Kubernetes does not promise. The run fails if one of them holds."`
	Skip   []string `yaml:"skip,omitempty" example:"[convergence]" doc:"Invariants that are not looked at. The summary says so."`
}

// Kubernetes configures kube-controller-manager.
type Kubernetes struct {
	FeatureGates   map[string]bool `yaml:"featureGates,omitempty" example:"{MaxUnavailableStatefulSet: true}" doc:"Feature gates, as in --feature-gates."`
	Controllers    []string        `yaml:"controllers,omitempty" example:"['*', -garbage-collector-controller]" doc:"Controllers to run, in the syntax of kube-controller-manager --controllers. Default: the workload controllers."`
	Admission      []string        `yaml:"admission,omitempty" example:"['*', -LimitRanger]" doc:"Admission plugins of kube-apiserver, in the syntax of controllers. Default: all that fidelity.md lists, but ServiceAccount, TaintNodesByCondition, ResourceQuota and StorageObjectInUseProtection only where the controllers run that belong to them."`
	Config         *yaml.Node      `yaml:"config,omitempty" format:"mapping" example:"{deploymentController: {concurrentDeploymentSyncs: 5}}" doc:"Fields of KubeControllerManagerConfiguration, such as deploymentController.concurrentDeploymentSyncs."`
	ClientQPS      *float64        `yaml:"clientQPS,omitempty" min:"0" doc:"Requests per second that each controller's client may send (--kube-api-qps). Default 20; 0 means no limit."`
	ClientBurst    *int            `yaml:"clientBurst,omitempty" min:"1" doc:"Burst of each controller's client (--kube-api-burst). Default 30."`
	Replicas       int             `yaml:"replicas,omitempty" min:"1" max:"9" example:"2" doc:"How many kube-controller-managers run. More than one elect a leader; they are named kube-controller-manager-1 and so on, and the controllers of the second are deployment-controller@2 and so on. Default 1."`
	LeaderElection *LeaderElection `yaml:"leaderElection,omitempty" example:"{leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}" doc:"Times of the leader election. With one replica: makes it elect itself."`
	LogLevel       *int            `yaml:"logLevel,omitempty" min:"0" max:"10" doc:"Verbosity of the controllers' own log lines in the trace (-v). Default 0: only errors and V(0) lines."`
}

// LeaderElection sets the times of the election (--leader-elect-lease-duration and so on).
type LeaderElection struct {
	LeaderElect   *bool     `yaml:"leaderElect,omitempty" doc:"false makes all replicas work at once, as they never should. Default true."`
	LeaseDuration *Duration `yaml:"leaseDuration,omitempty" example:"15s" doc:"How long a replica that stands by waits after the last renewal that it saw before it takes the lease; whole seconds. Default 15s."`
	RenewDeadline *Duration `yaml:"renewDeadline,omitempty" example:"10s" doc:"How long the leader tries to renew the lease before it gives up and exits. Default 10s."`
	RetryPeriod   *Duration `yaml:"retryPeriod,omitempty" example:"2s" doc:"Time between two attempts. Default 2s."`
}

// Cluster is the world that the controllers act on.
type Cluster struct {
	Nodes     []NodePool `yaml:"nodes" doc:"Groups of equal nodes. Default: one group of 3. An empty list is a cluster without nodes."`
	Pods      []PodLife  `yaml:"pods" doc:"How the simulated kubelet lives a pod. The first rule that matches wins; without one, a pod is ready after 2s."`
	Latency   Latency    `yaml:"latency,omitempty" doc:"How long requests and watch events travel."`
	Objects   string     `yaml:"objects,omitempty" doc:"Manifests of objects that are there from the beginning, as they stand: with their uids, owner references, times and status, unchecked. Nodes among them get a kubelet. The controllers then start at time zero, not before, and the steps begin with them. kubestep init makes them from a dump of a cluster."`
	Heartbeat *Duration  `yaml:"heartbeat,omitempty" doc:"Period of node lease renewals; 0s turns them off. Default 10s, as the kubelet's."`
	Load      []PodLoad  `yaml:"load,omitempty" example:"[{name: web, pods: app=web, metric: cpu, levels: [{total: 500m}]}]" doc:"What pods use, for HorizontalPodAutoscalers. Without it the cluster has no metrics-server."`
}

// PodLoad is one metric of some pods.
type PodLoad struct {
	Name      string      `yaml:"name" required:"true" format:"name" example:"web" doc:"Name by which the verb load finds it."`
	Pods      string      `yaml:"pods" required:"true" example:"app=web" doc:"Label selector of the pods."`
	Namespace string      `yaml:"namespace,omitempty" format:"name" doc:"Their namespace. Default default."`
	Metric    string      `yaml:"metric" required:"true" example:"cpu" doc:"cpu or memory, which metrics.k8s.io serves, or the name of any other metric, which custom.metrics.k8s.io serves."`
	Levels    []LoadLevel `yaml:"levels" required:"true" example:"[{total: 500m}, {at: 2m, total: 2}]" doc:"How high the load is, and from when on, in the order of time."`
}

// LoadLevel is how high a load is from some time on.
type LoadLevel struct {
	At     *Duration `yaml:"at,omitempty" example:"2m" doc:"Virtual time since the start from which on it holds. Default 0s."`
	Total  Quantity  `yaml:"total,omitempty" example:"500m" doc:"What all the pods use together; those that are Ready share it alike."`
	PerPod Quantity  `yaml:"perPod,omitempty" example:"200m" doc:"What each running pod uses."`
}

// NodePool is a number of equal nodes, named PREFIX-1, PREFIX-2 and so on across all pools.
type NodePool struct {
	Count  int               `yaml:"count" required:"true" min:"1" max:"5000" example:"3" doc:"How many nodes, 1 to 5000."`
	Prefix string            `yaml:"prefix,omitempty" format:"name" doc:"Node names are PREFIX-N. Default node."`
	Zone   string            `yaml:"zone,omitempty" example:"a" doc:"Label topology.kubernetes.io/zone."`
	Labels map[string]string `yaml:"labels,omitempty" doc:"Further node labels."`
	Pods   int               `yaml:"pods,omitempty" min:"1" max:"5000" doc:"How many pods a node takes. Default 110; the built-in default pool takes 1000."`
}

// PodLife says how pods that match it start, run and end.
type PodLife struct {
	Match     PodMatch `yaml:"match,omitempty" doc:"Which pods; absent matches all."`
	Ready     Delay    `yaml:"ready" example:"1s..20s" doc:"From binding to Running and Ready: a duration, a range MIN..MAX, or never. Default 2s."`
	Complete  *Delay   `yaml:"complete,omitempty" example:"30s" doc:"From Running to Succeeded (exit code 0). Default: runs for ever."`
	Fail      *Delay   `yaml:"fail,omitempty" doc:"From Running to Failed. Default: does not fail."`
	ExitCode  int      `yaml:"exitCode,omitempty" min:"1" max:"255" doc:"Exit code of a failing container. Default 1."`
	Terminate Delay    `yaml:"terminate" example:"30s" doc:"From deletionTimestamp to removal: a duration, a range, or never. Default 1s."`
}

// PodMatch selects pods; all fields given must match. Image, Name and Node are globs as of
// path.Match, except that * also matches a slash.
type PodMatch struct {
	Image     string `yaml:"image,omitempty" example:"'*:broken'" doc:"Glob over the image of any container, such as *:broken."`
	Namespace string `yaml:"namespace,omitempty" format:"name" doc:"Namespace, exact."`
	Name      string `yaml:"name,omitempty" doc:"Glob over the pod's name."`
	Node      string `yaml:"node,omitempty" doc:"Glob over the node's name."`
	Labels    string `yaml:"labels,omitempty" example:"app=web,tier!=db" doc:"Label selector, such as app=web,tier!=db."`
	OwnerKind string `yaml:"ownerKind,omitempty" doc:"Kind of the controlling owner, such as Job."`
}

// Latency gives the ranges that travel times are drawn from. Zero ranges are the lock-step model:
// an instant per burst.
type Latency struct {
	Request *Delay `yaml:"request,omitempty" example:"5ms" doc:"From a client's call to its execution in the API server. Default 1ms..5ms."`
	Watch   *Delay `yaml:"watch,omitempty" example:"1ms..10ms" doc:"From a write to its watch event in an informer. Default 1ms..10ms."`
}

// Step is one thing that happens: an optional time and exactly one verb. Without a time a step
// follows the one before it at once. The time is at or after, and with when the step happens at
// the first moment from then on at which the condition is true.
type Step struct {
	At    *Duration `yaml:"at,omitempty" example:"1m30s" doc:"Virtual time since the start at which the step happens."`
	After *Duration `yaml:"after,omitempty" example:"5s" doc:"Virtual time since the previous step was done."`
	When  string    `yaml:"when,omitempty" cel:"true" example:"deployment('web').status.availableReplicas >= 3" doc:"CEL condition; the step happens as soon as it is true."`

	Apply      string           `yaml:"apply,omitempty" verb:"request" doc:"Manifests, as kubectl apply -f."`
	Create     string           `yaml:"create,omitempty" verb:"request" doc:"Manifests, as kubectl create -f."`
	Patch      *Patch           `yaml:"patch,omitempty" verb:"request" doc:"As kubectl patch."`
	Scale      *Scale           `yaml:"scale,omitempty" verb:"request" doc:"As kubectl scale."`
	SetImage   *SetImage        `yaml:"set-image,omitempty" verb:"request" doc:"As kubectl set image."`
	Rollout    *Rollout         `yaml:"rollout,omitempty" verb:"request" doc:"As kubectl rollout undo, pause, resume or restart."`
	Delete     *Delete          `yaml:"delete,omitempty" verb:"request" doc:"As kubectl delete."`
	Evict      string           `yaml:"evict,omitempty" verb:"request" format:"pod" example:"pod/web-0" doc:"As kubectl drain does with each Pod: a deletion that asks the PodDisruptionBudgets first. POD or NAMESPACE/pod/POD; it fails with TooManyRequests when a budget forbids it."`
	Label      *Metadate        `yaml:"label,omitempty" verb:"request" doc:"As kubectl label --overwrite."`
	Annotate   *Metadate        `yaml:"annotate,omitempty" verb:"request" doc:"As kubectl annotate --overwrite."`
	Controller *ControllerFault `yaml:"controller,omitempty" verb:"true" doc:"Something happens to a process with controllers."`
	Pod        *PodTrouble      `yaml:"pod,omitempty" verb:"true" doc:"Something happens to Pods by themselves."`
	Node       *NodeFault       `yaml:"node,omitempty" verb:"true" doc:"Something happens to a node."`
	Load       *LoadChange      `yaml:"load,omitempty" verb:"true" doc:"Changes a load of spec.cluster.load from now on."`
	Edit       *Edit            `yaml:"edit,omitempty" verb:"true" doc:"Changes a stored object behind everyone's back, as with access to etcd: nobody asked the API server, and nothing was checked. Watches tell of it."`
	Fault      *FaultRule       `yaml:"fault,omitempty" verb:"true" doc:"Makes requests go wrong from here on, or ends a rule that does."`
	Wait       *Wait            `yaml:"wait,omitempty" verb:"true" doc:"Blocks the following steps until something is true, as kubectl wait and kubectl rollout status."`
	Note       string           `yaml:"note,omitempty" verb:"true" doc:"Markdown for the reader, shown when the run reaches it."`
	Ask        *Ask             `yaml:"ask,omitempty" verb:"true" doc:"A question to the reader, whose answer the run gives a moment later."`
	Expect     *Expect          `yaml:"expect,omitempty" verb:"true" doc:"A condition that must be true now, or become true by a deadline."`

	// Fails makes a refused request the expected outcome; any other failure of a step ends the run.
	Fails string `yaml:"fails,omitempty" enum:"@reasons" example:"Conflict" doc:"Status reason that the step must fail with, such as Invalid, Conflict, NotFound or AlreadyExists."`
}

// Patch changes one object.
type Patch struct {
	Target      string     `yaml:"target" required:"true" example:"deployment/web" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Type        string     `yaml:"type,omitempty" enum:"strategic,merge,json" doc:"strategic (default), merge or json."`
	Subresource string     `yaml:"subresource,omitempty" enum:"status,scale,approval" doc:"status, scale, or approval of a CertificateSigningRequest."`
	Patch       *yaml.Node `yaml:"patch" required:"true" example:"{spec: {paused: true}}" doc:"The patch as YAML, or as a string of JSON."`
}

// Scale sets spec.replicas through the scale subresource.
type Scale struct {
	Target   string `yaml:"target" required:"true" example:"deployment/web" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Replicas int32  `yaml:"replicas" required:"true" min:"0" example:"3" doc:"Desired number of pods."`
}

// SetImage changes the image of one container of a pod template.
type SetImage struct {
	Target    string `yaml:"target" required:"true" example:"deployment/web" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Container string `yaml:"container,omitempty" doc:"Name of the container; may be left out when there is one only, and * means all."`
	Image     string `yaml:"image" required:"true" example:"'web:v2'" doc:"The new image."`
}

// Rollout holds exactly one of its targets.
type Rollout struct {
	Undo       string `yaml:"undo,omitempty" example:"deployment/web" doc:"Target to roll back."`
	ToRevision int64  `yaml:"toRevision,omitempty" min:"0" doc:"Revision to roll back to; 0, the default, is the previous one."`
	Pause      string `yaml:"pause,omitempty" doc:"Deployment to pause."`
	Resume     string `yaml:"resume,omitempty" doc:"Deployment to resume."`
	Restart    string `yaml:"restart,omitempty" doc:"Target whose pods are replaced."`
}

// Delete removes an object, or all objects of a kind that a selector matches.
type Delete struct {
	Target             string `yaml:"target" required:"true" example:"pod/web-0" doc:"KIND/NAME, NAMESPACE/KIND/NAME, or KIND together with selector."`
	Selector           string `yaml:"selector,omitempty" doc:"Label selector; the target then is a KIND or NAMESPACE/KIND."`
	Cascade            string `yaml:"cascade,omitempty" enum:"background,foreground,orphan" doc:"background (default), foreground or orphan."`
	GracePeriodSeconds *int64 `yaml:"gracePeriodSeconds,omitempty" min:"0" doc:"As kubectl --grace-period; 0 deletes at once."`
}

// Metadate sets labels or annotations; a null value removes the key.
type Metadate struct {
	Target string             `yaml:"target" required:"true" example:"pod/web-0" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Set    map[string]*string `yaml:"set" required:"true" example:"{tier: null, track: canary}" doc:"Keys and values; null removes a key."`
}

// ControllerFault is what a step does to a process with controllers.
type ControllerFault struct {
	Crash   string `yaml:"crash,omitempty" format:"name" example:"kube-controller-manager-1" doc:"Process that ends at once: it sends nothing any more and releases no lease. One of kube-controller-manager, kube-controller-manager-N with kubernetes.replicas, and spec.controllers."`
	Restart string `yaml:"restart,omitempty" format:"name" example:"kube-controller-manager" doc:"Process that ends, if it has not yet, and starts anew: its queues, caches and expectations are gone."`
	Pause   string `yaml:"pause,omitempty" format:"name" example:"kube-controller-manager-1" doc:"Process that stands still, as after SIGSTOP: nothing that it sends arrives, and it sees nothing. Its leases run out."`
	Resume  string `yaml:"resume,omitempty" format:"name" example:"kube-controller-manager-1" doc:"Paused process that goes on where it was."`

	After *Duration `yaml:"restartAfter,omitempty" example:"10s" doc:"With crash: when the process starts anew. Default: never."`
}

// Edit is a change of the store itself.
type Edit struct {
	Target string     `yaml:"target" required:"true" example:"pod/web-0" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Patch  *yaml.Node `yaml:"patch" required:"true" format:"mapping" example:"{metadata: {ownerReferences: null}}" doc:"The fields to change, as a JSON merge patch: null removes one, and a list is replaced as a whole."`
}

// NodeFault is what a step does to a node.
type NodeFault struct {
	Fail      string    `yaml:"fail,omitempty" example:"node-3" doc:"Node that loses its power: its kubelet sends nothing any more, and its pods change no more. Here and below, zone/NAME stands for all nodes of a zone."`
	Partition string    `yaml:"partition,omitempty" example:"zone/a" doc:"Node that is cut off from the API server: its pods go on, but nobody hears of it, and its kubelet does not hear what is written."`
	Recover   string    `yaml:"recover,omitempty" example:"node-3" doc:"Failed or cut off node that goes on: it reports itself and its pods, and does what it missed."`
	Skew      string    `yaml:"skew,omitempty" example:"node-3" doc:"Node whose clock is wrong from here on: the times in its lease and its conditions are."`
	Ahead     *Duration `yaml:"ahead,omitempty" example:"1m" doc:"With skew: how much the clock is ahead."`
	Behind    *Duration `yaml:"behind,omitempty" example:"1m" doc:"With skew: how much the clock is behind."`
}

// PodTrouble is what a step lets happen to Pods.
type PodTrouble struct {
	Fail      string `yaml:"fail,omitempty" example:"pod/web-0" doc:"Pod whose containers end with an exit code, for good: its phase is Failed. Here and below: pod/NAME, NAMESPACE/pod/NAME, or pod or NAMESPACE/pod together with selector."`
	CrashLoop string `yaml:"crashLoop,omitempty" example:"pod/web-0" doc:"Pod whose containers crash a second after each start. The kubelet restarts them at once, then after 10s, 20s and so on up to 5m. With restartPolicy Never it fails."`
	Unready   string `yaml:"unready,omitempty" example:"pod/web-0" doc:"Pod that runs, but is not Ready any more."`
	Hang      string `yaml:"hang,omitempty" example:"pod/web-0" doc:"Pod that does not end when it is deleted: it stays Terminating."`
	Recover   string `yaml:"recover,omitempty" example:"pod/web-0" doc:"Pod that is all right again after crashLoop, unready or hang."`

	Selector string `yaml:"selector,omitempty" example:"app=web" doc:"Label selector of the Pods."`
	Count    int    `yaml:"count,omitempty" min:"1" example:"1" doc:"With selector: how many of them, in the order of their names. Default: all."`
	ExitCode int    `yaml:"exitCode,omitempty" min:"1" max:"255" doc:"With fail: exit code of the containers. Default 1."`
}

// LoadChange is a new level of a load. What its levels said of later times is forgotten.
type LoadChange struct {
	Name   string   `yaml:"name" required:"true" format:"name" example:"web" doc:"Name of a load in spec.cluster.load."`
	Total  Quantity `yaml:"total,omitempty" example:"2" doc:"What all the pods use together; those that are Ready share it alike."`
	PerPod Quantity `yaml:"perPod,omitempty" example:"200m" doc:"What each running pod uses."`
}

// Wait blocks until For holds.
type Wait struct {
	For     string    `yaml:"for" required:"true" example:"rollout deployment/web" doc:"rollout KIND/NAME, delete KIND/NAME, quiet DURATION (no write for so long), or a CEL condition."`
	Timeout *Duration `yaml:"timeout,omitempty" doc:"Virtual time after which the run fails. Default 10m."`
}

// Expect is a check bound to a place in the steps.
type Expect struct {
	That string    `yaml:"that" required:"true" cel:"true" example:"deployment('web').status.readyReplicas == 3" doc:"CEL condition."`
	By   *Duration `yaml:"by,omitempty" example:"60s" doc:"Virtual time, counted from this step, by which it must be true. Default: now."`
}

// Check holds exactly one of always, eventually and at-end.
type Check struct {
	Name       string `yaml:"name" required:"true" format:"name" example:"enough-available" doc:"Name of the check in reports, a DNS-1123 label."`
	Always     string `yaml:"always,omitempty" cel:"true" example:"deployment('web').status.availableReplicas >= 8" doc:"CEL condition that must hold after every write."`
	Eventually string `yaml:"eventually,omitempty" cel:"true" doc:"CEL condition that must hold at least once."`
	AtEnd      string `yaml:"at-end,omitempty" cel:"true" doc:"CEL condition that must hold at the end."`
	From       string `yaml:"from,omitempty" doc:"With always: CEL condition that starts it, or first-available (the first Deployment that became available)."`
	Until      string `yaml:"until,omitempty" cel:"true" doc:"With always: CEL condition that ends it."`
}

// Position is a place in a file; lines and columns count from 1.
type Position struct{ Line, Column int }

// Duration is a time.Duration in Go's notation: 5s, 1m30s, 250ms.
type Duration struct{ time.Duration }

// Delay is a duration, a range that is drawn from the seed (1ms..5ms), or never.
type Delay struct {
	Min, Max time.Duration
	Never    bool
}

// Quantity is an amount in Kubernetes' notation: 500m, 2, 1Gi.
type Quantity string
