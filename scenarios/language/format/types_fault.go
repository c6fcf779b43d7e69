package format

import (
	"cmp"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// FaultRule is a fault rule: what it applies to, its effect, and when. A fault of spec.faults applies from the start,
// or from at and when on; one of a step applies from the step on.
type FaultRule struct {
	Name string             `yaml:"name,omitempty" format:"name" example:"lost-writes" doc:"Name of the rule in the trace, and for release. Default: its path in the file."`
	At   *notation.Duration `yaml:"at,omitempty" example:"30s" doc:"In spec.faults: virtual time from which the rule is active. Default 0s."`
	When string             `yaml:"when,omitempty" cel:"true" example:"deployment('web').status.replicas == 3" doc:"In spec.faults: CEL condition; the rule is active as soon as it is true."`

	Request *FaultRequest `yaml:"request,omitempty" example:"{actor: deployment-controller, verb: update, resource: replicasets}" doc:"Requests that the rule matches."`
	Watch   *FaultWatch   `yaml:"watch,omitempty" example:"{actor: shared-informers, resource: pods}" doc:"Watch events that the rule matches."`
	Webhook *FaultWebhook `yaml:"webhook,omitempty" example:"{name: '*.kb.io', operation: CREATE}" doc:"Calls of admission webhooks, and of those that convert custom resources, that the rule matches."`
	Kubelet *FaultKubelet `yaml:"kubelet,omitempty" example:"{node: node-1, name: 'web-*'}" doc:"Pods that the rule matches when the kubelet of their node is to admit them: soon after they are bound, and again when upstream's kubelet starts again."`
	Timer   *FaultTimer   `yaml:"timer,omitempty" example:"{actor: cronjob-controller, name: backup}" doc:"Delayed additions to a work queue that the rule matches: a sync asks for its key to be added again after a time, with AddAfter or AddRateLimited. The rule applies when the sync asks. Controllers of spec.controllers that are other programs have none."`
	Node    *FaultNode    `yaml:"node,omitempty" example:"{fail: node-2}" doc:"In spec.faults: node that fails or is disconnected, until the rule ends through until or for."`
	Release string        `yaml:"release,omitempty" example:"lost-writes" doc:"In a step: name of a rule that ends here, or the path of one without a name. Requests and events that it held continue."`

	Fail          string             `yaml:"fail,omitempty" enum:"@reasons" example:"InternalError" doc:"Status reason that the request fails with: Conflict is 409, TooManyRequests 429, InternalError 500, ServiceUnavailable 503, Timeout 504. A webhook answers with this code."`
	AfterCommit   bool               `yaml:"afterCommit,omitempty" doc:"With fail: the request is executed nevertheless, and the client does not know. With fail or disconnect of a webhook: the webhook runs, and its answer is lost."`
	RetryAfter    *notation.Duration `yaml:"retryAfter,omitempty" example:"5s" doc:"With fail: TooManyRequests, or a code of 500 or more: the header Retry-After, in whole seconds. Client-go then sends the request again after that time, up to ten times, before the controller sees the error."`
	Delay         *notation.Delay    `yaml:"delay,omitempty" example:"2s..4s" doc:"Additional latency of the request or the watch event. Later watch events of the stream wait, because a stream keeps its order. A call of a webhook fails after timeoutSeconds. The sync that asks for a delayed addition is suspended for that long, as on a busy machine, so that its key comes late."`
	ResponseDelay *notation.Delay    `yaml:"responseDelay,omitempty" example:"2s" doc:"Additional latency of the response to a request. The request is executed before, and informers may see what it wrote before the client has the answer."`
	Hold          bool               `yaml:"hold,omitempty" doc:"Holds the request, the call of the webhook, or the watch stream from the event on, until the rule ends through until, for or release."`
	Coalesce      bool               `yaml:"coalesce,omitempty" doc:"With hold of a watch: keep only the newest held event of each object. An object that was deleted and created again arrives as MODIFIED."`
	Disconnect    bool               `yaml:"disconnect,omitempty" doc:"The watch ends: when the rule starts, or with nth or where, at the event. The client watches again from the same resourceVersion. For a webhook: the connection is refused."`
	Expire        bool               `yaml:"expire,omitempty" doc:"As disconnect, but with 410 Expired, so that the client lists again."`
	Crash         bool               `yaml:"crash,omitempty" doc:"The process that sent the request crashes when the request is executed, before it receives the answer; with fail, the request is not executed. With write: in the middle of a sync. For a watch: the process that watches crashes, when the rule starts, or with nth or where, at the event, which it does not see. For a webhook: the process that serves it crashes when it is called."`
	Reject        string             `yaml:"reject,omitempty" enum:"@rejections" example:"OutOfcpu" doc:"Reason with which the kubelet rejects the Pod, as in its status. The Pod is then Failed for good, and its controller has to make another one. UnexpectedAdmissionError is what a kubelet says that cannot allocate a device; OutOfcpu and OutOfpods, one whose node is full; NodeAffinity, one whose node has other labels by now; Evicted, one with too little memory or disk."`
	Restart       *notation.Duration `yaml:"restartAfter,omitempty" example:"10s" doc:"With crash: delay until the process starts again. Default: never."`
	Stale         *notation.Duration `yaml:"stale,omitempty" example:"30s" doc:"With a list request: the answer is the state of the store that long ago, or a newer one if the request names its resourceVersion, as that of an informer does which has listed before. The following watch starts there."`
	AsOf          *notation.Duration `yaml:"asOf,omitempty" example:"12.5s" doc:"As stale, but the answer is the state of the store at this virtual time."`

	Nth         int                `yaml:"nth,omitempty" min:"1" example:"3" doc:"Number of the first match that the rule applies to. Default 1."`
	Times       int                `yaml:"times,omitempty" min:"1" example:"2" doc:"Number of matches that the rule applies to from there on. Default: all."`
	Until       *notation.Duration `yaml:"until,omitempty" example:"5m" doc:"Virtual time at which the rule ends. Default: never."`
	For         *notation.Duration `yaml:"for,omitempty" example:"30s" doc:"Virtual time from the start of the rule until it ends."`
	Probability *float64           `yaml:"probability,omitempty" example:"0.1" doc:"Probability that the rule applies to a match, drawn from the seed; more than 0 and at most 1. Default 1."`

	Draw *notation.FaultDraw `yaml:"draw,omitempty" example:"{nth: 1..12}" doc:"Ranges from which the seed draws where the fault applies, so that kubestep explore tries many places."`
}

// Begin is the time from which on the rule applies, if it does not wait for a condition.
func (f *FaultRule) Begin() time.Duration {
	if f.At == nil {
		return 0
	}
	return f.At.Duration
}

// FaultRequest selects requests when they arrive at the API server; all fields given must match.
type FaultRequest struct {
	Actor       string `yaml:"actor,omitempty" example:"deployment-controller" doc:"Actor that sends the request: a controller, kubectl, or shared-informers, which fill the caches of kube-controller-manager. Globs such as *-controller match several."`
	Verb        string `yaml:"verb,omitempty" enum:"get,list,watch,create,update,patch,delete,deletecollection" example:"update" doc:"Verb of the API: get, list, watch, create, update, patch, delete or deletecollection."`
	Resource    string `yaml:"resource,omitempty" example:"replicasets" doc:"Kind, plural or short name. Default: all except Events and leases."`
	Subresource string `yaml:"subresource,omitempty" example:"status" doc:"Subresource, such as status or scale; '*' is any, and the object itself. Default: the object itself."`
	Namespace   string `yaml:"namespace,omitempty" format:"name" doc:"Namespace, exact."`
	Name        string `yaml:"name,omitempty" example:"'web-*'" doc:"Glob that matches the name of the object. A creation with generateName has no name."`
	Where       string `yaml:"where,omitempty" cel:"object" example:"object.spec.replicas < 4" doc:"CEL condition on the object: as the request sends it, or as the server has it if the request sends none. Objects without a field that it names do not match."`
	Write       int    `yaml:"write,omitempty" min:"1" example:"2" doc:"Position of the request among the writes of its sync: 2 is the second."`
}

// FaultWatch selects watch events when they arrive at an informer; all fields given must match.
type FaultWatch struct {
	Actor     string `yaml:"actor,omitempty" example:"shared-informers" doc:"Actor that watches: shared-informers, which all controllers of one kube-controller-manager share, metadata-informers, which the garbage collector and others use, or one of spec.controllers. Globs match several."`
	Resource  string `yaml:"resource,omitempty" example:"pods" doc:"Kind, plural or short name. Default: all except Events and leases."`
	Type      string `yaml:"type,omitempty" enum:"ADDED,MODIFIED,DELETED" example:"DELETED" doc:"ADDED, MODIFIED or DELETED."`
	Namespace string `yaml:"namespace,omitempty" format:"name" doc:"Namespace, exact."`
	Name      string `yaml:"name,omitempty" example:"'web-*'" doc:"Glob that matches the name of the object."`
	Where     string `yaml:"where,omitempty" cel:"object" example:"object.spec.nodeName == 'node-1'" doc:"CEL condition on the object of the event."`
}

// FaultWebhook selects calls of webhooks when they arrive at the process that serves them; all fields given must match.
type FaultWebhook struct {
	Name      string `yaml:"name,omitempty" example:"'*.kb.io'" doc:"Glob that matches the name of the webhook in its configuration. One that converts custom resources has the name of their CustomResourceDefinition."`
	Operation string `yaml:"operation,omitempty" enum:"CREATE,UPDATE,DELETE,CONNECT,CONVERT" example:"CREATE" doc:"What the webhook is called for: CREATE, UPDATE, DELETE or CONNECT, or CONVERT if it converts custom resources."`
	Resource  string `yaml:"resource,omitempty" example:"pods" doc:"Kind, plural or short name of the object. Default: all except Events and leases."`
	Namespace string `yaml:"namespace,omitempty" format:"name" doc:"Namespace of the object, exact."`
}

// FaultKubelet selects Pods when the kubelet of their node is to admit them; all fields given must match.
type FaultKubelet struct {
	Node      string `yaml:"node,omitempty" example:"'node-*'" doc:"Glob that matches the name of the node."`
	Namespace string `yaml:"namespace,omitempty" format:"name" doc:"Namespace of the Pod, exact."`
	Name      string `yaml:"name,omitempty" example:"'web-*'" doc:"Glob that matches the name of the Pod."`
	Where     string `yaml:"where,omitempty" cel:"object" example:"object.spec.priority > 0" doc:"CEL condition on the Pod. Pods without a field that it names do not match."`
}

// FaultTimer selects delayed additions to work queues when a sync asks for them; all fields given must match.
type FaultTimer struct {
	Actor     string `yaml:"actor,omitempty" example:"cronjob-controller" doc:"Controller. Globs such as *-controller match several."`
	Namespace string `yaml:"namespace,omitempty" format:"name" doc:"Namespace of the key, exact."`
	Name      string `yaml:"name,omitempty" example:"'web-*'" doc:"Glob that matches the key without its namespace."`
}

// FaultNode is a node that is lost for a while. Exactly one field is set.
type FaultNode struct {
	Fail      string `yaml:"fail,omitempty" example:"node-2" doc:"Node that loses power: its kubelet sends no more requests, and its Pods do not change any more."`
	Partition string `yaml:"partition,omitempty" example:"node-2" doc:"Node that is disconnected from the API server: its Pods keep running, but its kubelet cannot report them, and does not see writes."`
}

// Name is the name of the node.
func (n *FaultNode) Name() string { return cmp.Or(n.Fail, n.Partition) }

// String is fail node-2.
func (n *FaultNode) String() string {
	if n.Fail != "" {
		return "fail " + n.Fail
	}
	return "partition " + n.Partition
}
