// Package picture draws the film of a recording as one animated SVG: a picture that plays in a README, without a script.
//
// The picture shows a workload with its bounds and its Pods, who talks to whom, the last decision, and what is true now: the values of
// scenarios/reading/scene, as the terminal and the page show them. They are computed once for each record:
//
//	film.go      the film: which records are in it, and when
//	tracks.go    values that change over time, as keyframes of CSS
//	rollout.go   the workload: bars, bounds and Pods
//	lanes.go     the components, and the messages that travel between them and the API server
//
// A value that changes is a track. Texts that change stand below each other in a window of one line, and their track moves the
// one that is true into it. A reader who prefers reduced motion sees a still.
package picture
