// Package orders enumerates the orders of what happens at one time in a small scenario.
//
// Nothing takes time in these runs (package scenarios/runner/order), so a run is a list of choices: which of several events that are due
// comes next. A search makes the run in which all choices are 0, then for each of its choices one run with each other value there and 0
// from there on, and so on. A state that another run has been in is not extended again:
//
//	0 ---- 0 ---- 0 ---- 0 ---- end
//	 \      \- 1 ---- 0 --^
//	  \- 1 ---- 0 ---^
//
// The bound is how many choices of a run may be other than 0, as in CHESS (Musuvathi, Qadeer 2007). Runs with fewer of them come first,
// so a state is reached first with as many left as on any way.
package orders
