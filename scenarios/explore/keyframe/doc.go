// Package keyframe keeps copies of a running simulation, so that a branch of the run does not need to make its past again.
//
// The process that runs a scenario copies itself now and then (exact.Fork), as a film has keyframes. Each copy, a keyframe, waits. To
// continue the run from a time on as another scenario, the interface asks the last keyframe before that time. This makes a copy of itself,
// which becomes the run of that scenario at that time (runner.RunOptions.Become), while the keyframe waits for the next question:
//
//	run              0s ────────┬─────────┬─────────┬─────── 2m0s
//	keyframes                   5.2s      9.8s      14.1s
//	branch at 12s                         9.8s ──┬────────── 2m0s
//	its keyframe                                 12s
//
// The branch leaves one more keyframe, so that the next branch at the same time repeats nothing of the past.
//
// Memory is copied only where one of the processes writes to it. A keyframe ends when nobody can ask it any more: when Frames are closed,
// or the process of the interface ends.
//
// The run is asked for keyframes by an environment variable with a descriptor, over which it sends one end of a connection to each. Where a
// process cannot be copied there are no keyframes, and a branch runs from its start. It has the same trace hash in both cases.
package keyframe

import "time"

// Mark is a line in the stream of a run: all records before it belong to the past of a keyframe.
type Mark struct {
	// Number counts the keyframes of a run from 1.
	Number int `json:"number"`
	// At is the virtual time, and Seq the number of the last record.
	At  time.Duration `json:"at"`
	Seq int64         `json:"seq"`
	// Branch means that a branch left it at the time of its step: other branches at this time continue from it, and no others, since the
	// run itself has no event at that time.
	Branch bool `json:"branch,omitempty"`
	// Cost is how much processor time the run has used, and Bytes how much memory.
	Cost  time.Duration `json:"cost"`
	Bytes int64         `json:"bytes"`
}

// Line is what a stream has for a Mark, between its records.
type Line struct {
	Keyframe *Mark `json:"keyframe"`
}

// variable has the descriptor of the connection to those who want keyframes, and how much memory they may need: 3 1073741824.
const variable = "KUBESTEP_KEYFRAMES"

// When a run makes a keyframe: when it has used so much more processor time than at the last one, in relation to all that it has used.
// A branch then repeats at most this part of its past.
const (
	ratio  = 3
	minGap = 4 * time.Millisecond
)

// isDue reports whether a run that has used so much processor time makes a keyframe. Example: after one at 0.9 s, the next one is due at
// 0.9 s + 0.9 s / 3 = 1.2 s.
func isDue(cost, last time.Duration) bool { return cost-last >= max(last/ratio, minGap) }
