// Package arithmetic is the form of an explanation: what a controller computes in one sync, as steps of lines with formulas and
// values, the verdict, and the requests that follow. It knows no controller: the packages of the families fill it in, and
// those that show explanations print it.
package arithmetic

import (
	"cmp"
	"fmt"
	"time"
)

// Explanation is what a controller computes in one sync, and what follows from it.
type Explanation struct {
	// Start is the record with which the sync begins, At its time.
	Start int64         `json:"record"`
	At    time.Duration `json:"at"`
	// Due is when the controller acts, if it acts by a timer or a rate limit and not in a sync; 0 otherwise.
	Due time.Duration `json:"due,omitempty"`
	// Rest is how long a back-off lasts that makes a sync wait; 0 for none.
	Rest time.Duration `json:"-"`
	// Controller is the name in kube-controller-manager, Key the object that it synced.
	Controller string `json:"controller"`
	Key        string `json:"key"`
	// Branch is the way that the sync takes, one of the Branch constants.
	Branch string `json:"branch"`
	// Deferred means that nothing but the sync is known, since it takes long to compute the rest. The verdict says so.
	Deferred bool `json:"-"`
	// Rollout are the numbers that a sync of a Deployment begins with.
	Rollout *Rollout `json:"rollout,omitempty"`
	Steps   []Step   `json:"steps"`
	// Verdict is one sentence: what the controller therefore does, or why it does nothing. Why is the
	// arithmetic behind it alone, for the line of a table: "13 - 11 Pods = room for 2".
	Verdict string `json:"verdict"`
	Why     string `json:"why,omitempty"`
	// Decided is the verdict before what Answered adds to it; empty if that is nothing.
	Decided string `json:"-"`
	// Effects are what a sync of a Deployment changes: sizes, and ReplicaSets that come or go, in the order of the requests.
	Effects []Effect `json:"effects,omitempty"`
	// Actions are what the sync of a controller other than the Deployment controller asks the API server to do.
	Actions []Action `json:"actions,omitempty"`
	// Status are fields of the status that the sync leaves, by their paths in the status, as far as they are computed: the
	// paths are those of changes in a trace, such as conditions[type=AbleToScale].reason.
	Status map[string]any `json:"status,omitempty"`
	// Endpoints are those that the sync of a Service leaves in its EndpointSlices: Pods with their state, such as "ready".
	Endpoints map[string]string `json:"endpoints,omitempty"`
	// Requests are all requests of a sync of a Deployment in their order, such as "update replicasets/web-7d9f".
	Requests []string `json:"requests,omitempty"`
	// Refused is the answer to the last of the requests, if that is why there are no more: "409 Conflict".
	Refused string `json:"refused,omitempty"`
	// Progressing is the reason of the Progressing condition that a sync of a Deployment leaves.
	Progressing string `json:"progressing,omitempty"`
}

// Answered adds to the verdict how the API server answered a request.
func (e *Explanation) Answered(text string) {
	e.Decided = e.Decision()
	e.Verdict += "; " + text
}

// Decision is the verdict without what Answered added to it, and what followed that.
func (e *Explanation) Decision() string { return cmp.Or(e.Decided, e.Verdict) }

// Rollout are the numbers of a Deployment as its controller's caches have them when a sync begins.
type Rollout struct {
	Replicas       int32 `json:"replicas"`
	MaxSurge       int32 `json:"maxSurge"`
	MaxUnavailable int32 `json:"maxUnavailable"`
	// MaxTotal is how many Pods the ReplicaSets may have together, MinAvailable how many must be available.
	MaxTotal     int32 `json:"maxTotal"`
	MinAvailable int32 `json:"minAvailable"`
	// Pods is the sum of the sizes of all ReplicaSets, of which New is the new one's and Old the others'.
	Pods int32 `json:"pods"`
	New  int32 `json:"new"`
	Old  int32 `json:"old"`
	// NewReplicaSet is the name of the one that has the Deployment's template; empty if there is none.
	NewReplicaSet string `json:"newReplicaSet,omitempty"`
	// Available and Ready are what the ReplicaSets report, Updated what the new one does.
	Available int32 `json:"available"`
	Ready     int32 `json:"ready"`
	Updated   int32 `json:"updated"`
}

// The branches of a sync of a Deployment (syncDeployment).
const (
	BranchDeleted    = "deleted"
	BranchSelectsAll = "selects everything"
	BranchPaused     = "paused"
	BranchRollback   = "rollback"
	BranchScaling    = "scaling event"
	BranchRolling    = "RollingUpdate"
	BranchRecreate   = "Recreate"
	BranchGone       = "gone"
)

// Step is one decision, with the place in k8s.io/kubernetes where it is taken.
type Step struct {
	Title    string `json:"title"`
	Lines    []Line `json:"lines,omitempty"`
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
}

// Line is one number: what it is, how it comes about, and what it is: maxTotalPods, 10 + 3, 13. Formula or
// Value may be empty.
type Line struct {
	Label   string `json:"label"`
	Formula string `json:"formula,omitempty"`
	Value   string `json:"value,omitempty"`
}

// Effect is something that a sync of a Deployment changes in one of its ReplicaSets.
type Effect struct {
	ReplicaSet string `json:"replicaSet"`
	From       int32  `json:"from"`
	To         int32  `json:"to"`
	// Created means that the ReplicaSet itself is made, Deleted that it goes.
	Created bool `json:"created,omitempty"`
	Deleted bool `json:"deleted,omitempty"`
}

// String is like "web-7d9f 10 -> 8".
func (e Effect) String() string {
	switch {
	case e.Created:
		return fmt.Sprintf("%s created with %d", e.ReplicaSet, e.To)
	case e.Deleted:
		return e.ReplicaSet + " deleted"
	}
	return fmt.Sprintf("%s %d -> %d", e.ReplicaSet, e.From, e.To)
}

// Leave notes a field of the status that the sync leaves.
func (e *Explanation) Leave(path string, value any) {
	if e.Status == nil {
		e.Status = map[string]any{}
	}
	e.Status[path] = value
}

// Step begins a new step.
func (e *Explanation) Step(title, file, function string) *Step {
	e.Steps = append(e.Steps, Step{Title: title, File: file, Function: function})
	return &e.Steps[len(e.Steps)-1]
}

// Line adds a line; a value is printed as it is.
func (s *Step) Line(label, formula string, value any) {
	text := ""
	if value != nil {
		text = fmt.Sprint(value)
	}
	s.Lines = append(s.Lines, Line{Label: label, Formula: formula, Value: text})
}
