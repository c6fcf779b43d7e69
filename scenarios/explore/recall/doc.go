// Package recall lists bugs of the gallery that need a fault, to measure how many of them a sweep finds by itself.
//
// A scenario of the gallery says which fault shows its bug, and when. Its plain form (Plain) says neither: only what users and nodes do.
// A sweep over the plain form finds the bug if a run fails in the way of the bug (Bug.Shows):
//
//	gallery scenario --Plain--> plain form --kubestep explore --every--> groups of failures --Bug.Shows--> found
//
// The test of this package measures it, and writes docs/reference/recall.md.
package recall
