// Package page makes one self-contained HTML file of a recording: a player that opens from a disk, on a phone, without a network.
//
// The page shows what the terminal shows, from the same lookups: the beats of sim/recording/film, the lanes of
// scenarios/reading/components, the workloads of sim/recording, the sentence of scenarios/reading/why, the arithmetic of
// controllers/explain. All of it is computed here, once for each beat; the
// script in the page only draws. What does not change from one beat to the next is written once:
//
//	{"seq": 109, "t": 0.029, "verb": "create", ..., "state": {"lane1": {...}}}   only lane1 differs from the beat before
//
// The data are JSON, compressed, in an element that the browser does not interpret. The script writes texts as texts, never as HTML, and
// a Content-Security-Policy in the page allows this script and nothing else: neither another one, nor a request.
package page
