// Package picture draws the film of a recording as one animated SVG: a picture that plays in a README, without a script.
//
// The picture is the stage as the terminal and the page show it: programs, the first workload with what it owns, nodes, and the messages
// between them; below stand its bounds, and one sentence. The values are those of scenarios/reading/stage, computed once for each record:
//
//	film.go      the film: which records are in it, and when
//	tracks.go    values that change over time, as keyframes of CSS
//	programs.go  the programs at the left
//	store.go     the workload and its ReplicaSets as boxes, with their Pods
//	nodes.go     the nodes at the right
//	moves.go     the messages that travel between them
//	ruler.go     the bars between their bounds
//
// A value that changes is a track. Texts that change stand below each other in a window of one line, and their track moves the
// one that is true into it. A reader who prefers reduced motion sees a still.
package picture
