// Package page makes one self-contained HTML file of a recording: a player that opens from a disk, on a phone, without a network.
//
// The page shows what the terminal shows: the values of scenarios/reading/scene, as JSON, at the beats of sim/recording/film. The script
// in the page only draws them, with one function for each view. What does not change from one beat to the next is written once, and a
// beat that asks has what is to be seen while its question is open as well:
//
//	{"seq": 109, "t": 0.029, "verb": "create", ..., "state": {"program1": {...}}}   only program1 differs from the beat before
//	{"seq": 131, "ask": {...}, "state": {...}, "asked": {"rollout0": {...}}}        the rollout without its bounds
//
// The data are JSON, compressed, in an element that the browser does not interpret. The script writes texts as texts, never as HTML, and
// a Content-Security-Policy in the page allows this script and nothing else: neither another one, nor a request.
package page
