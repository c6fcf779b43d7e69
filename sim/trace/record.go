package trace

import (
	"encoding/json"
	"time"

	"github.com/kubestep/kubestep/sim/trace/attempt"
	"github.com/kubestep/kubestep/sim/trace/diff"
	"github.com/kubestep/kubestep/sim/trace/review"
)

// Kind is the kind of a record and says which of its parts is set.
type Kind string

// The kinds of records.
const (
	// KindRequest is an API request, at the virtual time at which the server executed it.
	KindRequest Kind = "request"
	// KindWatch is a watch event that arrived at an informer.
	KindWatch Kind = "watch"
	// KindEnqueue is a key that was added to a work queue.
	KindEnqueue Kind = "enqueue"
	// KindSync is the start or the end of a sync: a worker's processing of one key.
	KindSync Kind = "sync"
	// KindTimer is a request for a delayed addition to a work queue (AddAfter, AddRateLimited).
	KindTimer Kind = "timer"
	// KindLog is a line that a controller logged.
	KindLog Kind = "log"
	// KindEvent is a Kubernetes Event that was written.
	KindEvent Kind = "event"
	// KindWebhook is a call of a webhook, when the API server has the answer. The actor is who gave it.
	KindWebhook Kind = "webhook"
	// KindContainer is what upstream's kubelet, or the container runtime of its node, did with a container: the result of a probe, a
	// signal.
	KindContainer Kind = "container"
	// KindCall is a call of upstream's kubelet to a plugin of its node, such as a CSI driver.
	KindCall Kind = "call"
	// KindFault is a fault that the scenario causes.
	KindFault Kind = "fault"
	// KindAction is a step of the scenario.
	KindAction Kind = "action"
	// KindCheck is the outcome of a check.
	KindCheck Kind = "check"
	// KindFuture is where another seed begins to decide what is drawn.
	KindFuture Kind = "future"
	// KindNote is a note of the scenario for its reader.
	KindNote Kind = "note"
	// KindShow is a direction of the scenario for the reader's screen.
	KindShow Kind = "show"
	// KindAsk is a question of the scenario to its reader, and KindAnswer its answer.
	KindAsk    Kind = "ask"
	KindAnswer Kind = "answer"
	// KindHalt is the last record of a simulation that ended early. It does not belong to the hash: where a simulation
	// is caught depends on the machine.
	KindHalt Kind = "halt"
)

// Record is one entry of a trace. Seq counts from 1; At is virtual nanoseconds since time zero.
type Record struct {
	Seq  int64         `json:"seq"`
	At   time.Duration `json:"at"`
	Kind Kind          `json:"kind"`
	// Date is At as a date. Only the first record has it.
	Date time.Time `json:"date,omitzero"`
	// Cause is the Seq of the record that caused this one; 0 if there is none.
	Cause int64 `json:"cause,omitempty"`
	// Actor is the program that the record belongs to: a controller, kubelet, kube-scheduler, kubectl.
	Actor string `json:"actor,omitempty"`
	// Background marks routine records that change nothing by themselves, such as lease renewals and the lists and
	// watches at the start.
	Background bool `json:"background,omitempty"`
	// FaultSeq is the Seq of the fault that decided the result of a request or a watch event; 0 if there is none.
	FaultSeq int64 `json:"faultSeq,omitempty"`

	Request   *Request       `json:"request,omitempty"`
	Watch     *Watch         `json:"watch,omitempty"`
	Enqueue   *Enqueue       `json:"enqueue,omitempty"`
	Sync      *Sync          `json:"sync,omitempty"`
	Timer     *Timer         `json:"timer,omitempty"`
	Log       *Log           `json:"log,omitempty"`
	Event     *Event         `json:"event,omitempty"`
	Webhook   *review.Review `json:"webhook,omitempty"`
	Container *Container     `json:"container,omitempty"`
	Call      *Call          `json:"call,omitempty"`
	Fault     *Fault         `json:"fault,omitempty"`
	Action    *Action        `json:"action,omitempty"`
	Check     *Check         `json:"check,omitempty"`
	Future    *Future        `json:"future,omitempty"`
	Note      *Note          `json:"note,omitempty"`
	Show      *Show          `json:"show,omitempty"`
	Ask       *Ask           `json:"ask,omitempty"`
	Answer    *Answer        `json:"answer,omitempty"`
	Halt      *Halt          `json:"halt,omitempty"`
}

// Object names an object of the API.
type Object struct {
	// Resource is the plural name, followed by a dot and the group unless that is core: deployments.apps.
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// Request is an API request and its outcome.
type Request struct {
	Verb string `json:"verb"`
	Object
	Subresource string `json:"subresource,omitempty"`
	// Code and Reason are those of the response: 201, or 409 Conflict.
	Code    int    `json:"code"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	// Sent is the virtual time at which the client sent the request; the difference to At is throttling, latency and the
	// time at the server.
	Sent time.Duration `json:"sent"`
	// Items is the number of objects that a list returned.
	Items *int `json:"items,omitempty"`
	// RV is the resourceVersion of the response.
	RV string `json:"rv,omitempty"`
	// Metrics is the list that an API of metrics returned, as JSON without most metadata: the store does not hold it.
	Metrics json.RawMessage `json:"metrics,omitempty"`
	// Patch is the body of a patch.
	Patch json.RawMessage `json:"patch,omitempty"`
	// Webhooks are the Seqs of the calls of webhooks that the request made, in the order of their answers.
	Webhooks []int64 `json:"webhooks,omitempty"`
	// Server is the program that answered, if the API server forwarded the request to another one.
	Server string `json:"server,omitempty"`
	// Flow is what API Priority and Fairness has decided about the request, nil where it is off.
	Flow *Flow `json:"flow,omitempty"`
	// Writes are the changes of the store that the request made, in order. A successful write request without writes
	// changed nothing.
	Writes []Write `json:"writes,omitempty"`
}

// Flow is how API Priority and Fairness has classified a request, and how long it made it wait.
type Flow struct {
	// Schema and PriorityLevel are the names of a FlowSchema and of a PriorityLevelConfiguration.
	Schema        string `json:"schema"`
	PriorityLevel string `json:"priorityLevel"`
	// Distinguisher tells the flows of a FlowSchema apart: the name of a user or of a namespace.
	Distinguisher string `json:"distinguisher,omitempty"`
	// Waited is how long the request waited in a queue.
	Waited time.Duration `json:"waited,omitempty"`
}

// Op is how a write changed the store.
type Op string

// The operations of a Write.
const (
	OpCreate Op = "create"
	OpUpdate Op = "update"
	OpDelete Op = "delete"
)

// Write is one change of one object.
type Write struct {
	Op Op `json:"op"`
	Object
	UID string `json:"uid,omitempty"`
	RV  uint64 `json:"rv"`
	// Before is the resourceVersion of the replaced version.
	Before uint64 `json:"before,omitempty"`
	// New is the whole object, for a creation.
	New json.RawMessage `json:"new,omitempty"`
	// Changes lists the fields that an update changed.
	Changes []diff.Change `json:"changes,omitempty"`
}

// Watch is a watch event that arrives at an informer.
type Watch struct {
	// Stream names the informer: its client and the resource it watches.
	Stream string `json:"stream"`
	// Type is ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.
	Type string `json:"type"`
	Object
	RV uint64 `json:"rv,omitempty"`
	// Written is when the write happened; the difference to At is the informer's lag.
	Written time.Duration `json:"written"`
}

// Enqueue is a key that entered a work queue.
type Enqueue struct {
	Queue string `json:"queue"`
	// Key is set if a worker took it at once; otherwise the sync that follows has it.
	Key string `json:"key,omitempty"`
	// Event is why kube-scheduler moved the Pod to this one of its queues, in its words: NodeAdd, BackoffComplete.
	Event string `json:"event,omitempty"`
	// Resync means that the resync of an informer queued the key, 12 to 24 hours after its start by default, and not a change.
	Resync bool `json:"resync,omitempty"`
}

// Phase distinguishes the two records of a sync.
type Phase string

// The phases of a sync.
const (
	PhaseStart Phase = "start"
	PhaseEnd   Phase = "end"
)

// Sync is one sync of a key of a controller's work queue.
type Sync struct {
	Phase Phase  `json:"phase"`
	Queue string `json:"queue"`
	Key   string `json:"key,omitempty"`
	// Waited is how long the key was in the queue.
	Waited time.Duration `json:"waited,omitempty"`
	// Start is the Seq of the start record; the rest is set at the end.
	Start    int64         `json:"start,omitempty"`
	Duration time.Duration `json:"duration,omitempty"`
	// Reads are the objects that it read from its caches, in the order of the first read.
	Reads []Read `json:"reads,omitempty"`
	// Requests and Writes count the requests that it sent, and the changes of the store.
	Requests int `json:"requests,omitempty"`
	Writes   int `json:"writes,omitempty"`
	// Requeued means that it requeued its key.
	Requeued bool   `json:"requeued,omitempty"`
	Error    string `json:"error,omitempty"`
	// Stale means that the error is not a failure: the controller refused to work on a cache without its own last write
	// (the feature gates StaleControllerConsistency), and waits for it.
	Stale bool `json:"stale,omitempty"`
	// Attempt is what kube-scheduler did with the Pod; nil for syncs of controllers.
	Attempt *attempt.Attempt `json:"attempt,omitempty"`
}

// Read is one read of an informer's cache.
type Read struct {
	Object
	// RV is the version in the cache; empty if it had none, or for a list.
	RV string `json:"rv,omitempty"`
	// Items is the number of objects that a list returned.
	Items *int `json:"items,omitempty"`
}

// Timer is a delayed addition to a work queue.
type Timer struct {
	Queue string `json:"queue"`
	Key   string `json:"key,omitempty"`
}

// Log is a line that a controller logged.
type Log struct {
	// Level is the verbosity, or -1 for an error.
	Level   int    `json:"level"`
	Message string `json:"message"`
	// Values are the line's key/value pairs, formatted.
	Values []string `json:"values,omitempty"`
	Error  string   `json:"error,omitempty"`
	// Stale means that the error is that of a sync that waits for its cache; see Sync.
	Stale bool `json:"stale,omitempty"`
}

// Event is a Kubernetes Event. Its record is next to the request that wrote it.
type Event struct {
	Type      string `json:"type"`
	Reason    string `json:"reason"`
	Message   string `json:"message"`
	Regarding Object `json:"regarding"`
	Count     int    `json:"count,omitempty"`
}

// Fault is a fault. The request or the watch event that it applies to names it in FaultSeq.
type Fault struct {
	// Rule is the name of the rule: its own, or its position in the scenario.
	Rule string `json:"rule"`
	// Effect is what happens: 500 InternalError, hold, release.
	Effect string `json:"effect"`
	// Verb, Object and Subresource are those of the affected request; for a watch event, Verb is its type.
	Verb string `json:"verb,omitempty"`
	Object
	Subresource string `json:"subresource,omitempty"`
	// Count is how many requests or watch events a release continues, or how many are lost.
	Count int `json:"count,omitempty"`
}

// Action is a step of the scenario.
type Action struct {
	// Step is the index of the step in the scenario.
	Step int    `json:"step"`
	Verb string `json:"verb"`
	Text string `json:"text"`
	// Error is the reason why the step failed.
	Error string `json:"error,omitempty"`
}

// Check is the outcome of a check. The cause of one that fails is the last write of what its condition read.
type Check struct {
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Message string `json:"message,omitempty"`
}

// Future is the seed that decides what is drawn from the record on.
type Future struct {
	Seed int64 `json:"seed"`
}

// Note is text for the reader.
type Note struct {
	Text string `json:"text"`
}

// Show says which view the reader sees from here on, and what is in it.
type Show struct {
	// Step is the index of the step in the scenario.
	Step int    `json:"step"`
	View string `json:"view"`
	// Focus are objects, as KIND/NAME, and components.
	Focus []string `json:"focus,omitempty"`
}

// Ask is a question to the reader.
type Ask struct {
	// Step is the index of the step in the scenario, the same as the answer's.
	Step     int      `json:"step"`
	Question string   `json:"question"`
	Choices  []string `json:"choices,omitempty"`
}

// Answer is the answer to a question, recorded when the run has shown that it is right.
type Answer struct {
	Step    int    `json:"step"`
	Text    string `json:"text"`
	Explain string `json:"explain,omitempty"`
}

// HaltReason is why a simulation ended early.
type HaltReason string

// The reasons of a Halt.
const (
	// HaltFrozen is a simulation that makes no progress: a goroutine spins, or waits for something outside of virtual
	// time.
	HaltFrozen HaltReason = "Frozen"
	// HaltFault is a controller that panicked or gave up.
	HaltFault HaltReason = "Fault"
	// HaltPanic is a panic of the simulation itself.
	HaltPanic HaltReason = "Panic"
	// HaltMemory is a simulation that exceeded its memory limit.
	HaltMemory HaltReason = "Memory"
	// HaltTimeout is a run that took longer, in real time, than its limit.
	HaltTimeout HaltReason = "Timeout"
	// HaltRecords is a run whose trace has more records than its limit.
	HaltRecords HaltReason = "Records"
)

// Halt says why a simulation ended early.
type Halt struct {
	Reason  HaltReason `json:"reason"`
	Message string     `json:"message"`
	// Actors are those of the goroutines that caused it, if known.
	Actors []string `json:"actors,omitempty"`
	// Stack holds the stacks of these goroutines.
	Stack string `json:"stack,omitempty"`
}
