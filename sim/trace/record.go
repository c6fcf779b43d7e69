package trace

import (
	"encoding/json"
	"time"

	"github.com/kubestep/kubestep/sim/diff"
)

// Kind says what a record is about and which of its parts is set.
type Kind string

// The kinds of records.
const (
	// KindRequest is an API request, at the instant the server executed it.
	KindRequest Kind = "request"
	// KindWatch is a watch event that arrived in an informer.
	KindWatch Kind = "watch"
	// KindEnqueue is a key that was added to a work queue.
	KindEnqueue Kind = "enqueue"
	// KindSync is the start or the end of a worker's turn on one key.
	KindSync Kind = "sync"
	// KindTimer is a delayed addition to a work queue that was asked for (AddAfter, AddRateLimited).
	KindTimer Kind = "timer"
	// KindLog is a line that a controller logged.
	KindLog Kind = "log"
	// KindEvent is a Kubernetes Event that was written.
	KindEvent Kind = "event"
	// KindFault is something that was made to go wrong.
	KindFault Kind = "fault"
	// KindAction is a step of the scenario.
	KindAction Kind = "action"
	// KindCheck is the outcome of a check.
	KindCheck Kind = "check"
	// KindNote is a note of the scenario for its reader.
	KindNote Kind = "note"
	// KindAsk is a question of the scenario to its reader, and KindAnswer its answer.
	KindAsk    Kind = "ask"
	KindAnswer Kind = "answer"
	// KindHalt is the last record of a simulation that ended before its time. It does not belong to the hash: where a
	// simulation is caught depends on the machine.
	KindHalt Kind = "halt"
)

// Record is one thing that happened. Seq counts from 1; At is virtual nanoseconds since the start.
type Record struct {
	Seq  int64         `json:"seq"`
	At   time.Duration `json:"at"`
	Kind Kind          `json:"kind"`
	// Cause is the Seq of the record that brought this one about; 0 when there is none.
	Cause int64 `json:"cause,omitempty"`
	// Actor is who did it: a controller, kubelet, kube-scheduler, kubectl.
	Actor string `json:"actor,omitempty"`
	// Background marks what happens all the time and changes nothing by itself, such as lease renewals
	// and the lists and watches at the start.
	Background bool `json:"background,omitempty"`
	// FaultSeq is the Seq of the fault that decided what became of a request or a watch event; 0 when there is none.
	FaultSeq int64 `json:"faultSeq,omitempty"`

	Request *Request `json:"request,omitempty"`
	Watch   *Watch   `json:"watch,omitempty"`
	Enqueue *Enqueue `json:"enqueue,omitempty"`
	Sync    *Sync    `json:"sync,omitempty"`
	Timer   *Timer   `json:"timer,omitempty"`
	Log     *Log     `json:"log,omitempty"`
	Event   *Event   `json:"event,omitempty"`
	Fault   *Fault   `json:"fault,omitempty"`
	Action  *Action  `json:"action,omitempty"`
	Check   *Check   `json:"check,omitempty"`
	Note    *Note    `json:"note,omitempty"`
	Ask     *Ask     `json:"ask,omitempty"`
	Answer  *Answer  `json:"answer,omitempty"`
	Halt    *Halt    `json:"halt,omitempty"`
}

// Object names an object of the API.
type Object struct {
	// Resource is the plural name, with the group behind a dot unless it is core: deployments.apps.
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// Request is an API request and its outcome.
type Request struct {
	Verb string `json:"verb"`
	Object
	Subresource string `json:"subresource,omitempty"`
	// Code and Reason are those of the answer: 201, or 409 Conflict.
	Code    int    `json:"code"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	// Sent is when the client called, on the clock of At; the difference is throttling and latency.
	Sent time.Duration `json:"sent"`
	// Items is the number of objects that a list returned.
	Items *int `json:"items,omitempty"`
	// RV is the resourceVersion of the answer.
	RV string `json:"rv,omitempty"`
	// Patch is the body of a patch.
	Patch json.RawMessage `json:"patch,omitempty"`
	// Writes are the changes of the store that the request made, in order. A request that succeeds and
	// writes nothing found everything as it should be.
	Writes []Write `json:"writes,omitempty"`
}

// Op says how a write changed the store.
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
	// Before is the resourceVersion that was replaced.
	Before uint64 `json:"before,omitempty"`
	// New is the whole object, for a creation.
	New json.RawMessage `json:"new,omitempty"`
	// Changes lists the fields that an update changed.
	Changes []diff.Change `json:"changes,omitempty"`
}

// Watch is a watch event on its arrival in an informer.
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
	// Key is known when a worker took it at once; otherwise the sync that follows tells it.
	Key string `json:"key,omitempty"`
}

// Phase tells the two records of a sync apart.
type Phase string

// The phases of a sync.
const (
	PhaseStart Phase = "start"
	PhaseEnd   Phase = "end"
)

// Sync is a worker's turn on one key of a controller's work queue.
type Sync struct {
	Phase Phase  `json:"phase"`
	Queue string `json:"queue"`
	Key   string `json:"key,omitempty"`
	// Waited is how long the key stood in the queue.
	Waited time.Duration `json:"waited,omitempty"`
	// Start is the Seq of the start record; the rest is set at the end.
	Start    int64         `json:"start,omitempty"`
	Duration time.Duration `json:"duration,omitempty"`
	// Reads are the objects that it looked up in its caches, in order of the first look.
	Reads []Read `json:"reads,omitempty"`
	// Requests and Writes count what it sent, and how much of it changed the store.
	Requests int `json:"requests,omitempty"`
	Writes   int `json:"writes,omitempty"`
	// Requeued means that it asked for another turn.
	Requeued bool   `json:"requeued,omitempty"`
	Error    string `json:"error,omitempty"`
	// Stale means that the error is not a failure: the controller refused to work on a cache that had not seen its own
	// last write (the feature gates StaleControllerConsistency), and waits for it.
	Stale bool `json:"stale,omitempty"`
}

// Read is one look into an informer's cache.
type Read struct {
	Object
	// RV is what the cache held; empty when it held nothing, or for a list.
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
	// Values are the line's key/value pairs, printed.
	Values []string `json:"values,omitempty"`
	Error  string   `json:"error,omitempty"`
	// Stale means that the error is that of a sync which waits for its cache; see Sync.
	Stale bool `json:"stale,omitempty"`
}

// Event is a Kubernetes Event. It stands beside the request that wrote it.
type Event struct {
	Type      string `json:"type"`
	Reason    string `json:"reason"`
	Message   string `json:"message"`
	Regarding Object `json:"regarding"`
	Count     int    `json:"count,omitempty"`
}

// Fault is something that was made to go wrong. The request or the watch event that it affects names it in FaultSeq.
type Fault struct {
	// Rule is the name of the rule: its own, or its place in the scenario.
	Rule string `json:"rule"`
	// Effect is what happens: 500 InternalError, hold, release.
	Effect string `json:"effect"`
	// Verb, Object and Subresource are those of the affected request; for a watch event, Verb is its type.
	Verb string `json:"verb,omitempty"`
	Object
	Subresource string `json:"subresource,omitempty"`
	// Count is how many requests or watch events continue at a release, or are lost.
	Count int `json:"count,omitempty"`
}

// Action is a step of the scenario.
type Action struct {
	// Step is the index of the step in the scenario.
	Step int    `json:"step"`
	Verb string `json:"verb"`
	Text string `json:"text"`
	// Error is why the step failed.
	Error string `json:"error,omitempty"`
}

// Check is the outcome of a check.
type Check struct {
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Message string `json:"message,omitempty"`
}

// Note is text for the reader.
type Note struct {
	Text string `json:"text"`
}

// Ask is a question to the reader.
type Ask struct {
	// Step is the index of the step in the scenario, the same as the answer's.
	Step     int      `json:"step"`
	Question string   `json:"question"`
	Choices  []string `json:"choices,omitempty"`
}

// Answer is the answer to a question, currently at which the run has shown that it is right.
type Answer struct {
	Step    int    `json:"step"`
	Text    string `json:"text"`
	Explain string `json:"explain,omitempty"`
}

// The reasons of a Halt.
const (
	// HaltFrozen is a simulation in which nothing moves: a goroutine spins, or waits for something outside of virtual
	// time.
	HaltFrozen = "Frozen"
	// HaltFault is a controller that panicked or gave up.
	HaltFault = "Fault"
	// HaltPanic is a panic of the simulation itself.
	HaltPanic = "Panic"
	// HaltMemory is a simulation that outgrew the memory it was given.
	HaltMemory = "Memory"
)

// Halt says why a simulation ended before its time.
type Halt struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
	// Actors are those whose goroutines are to blame, if that is known.
	Actors []string `json:"actors,omitempty"`
	// Stack is what these goroutines were doing.
	Stack string `json:"stack,omitempty"`
}

// Line is the record as a line of a trace, with its newline.
func (r *Record) Line() []byte { return append(marshal(r), '\n') }
