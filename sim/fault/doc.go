// Package fault holds rules that make things go wrong.
//
// A rule is data: which requests or watch events it is about (Match), which of those trigger it (the n-th,
// so many times, from one instant to another, with some probability), and what then happens to them
// (Effect). A Set holds the rules of a simulation and is asked about every request and watch event. It knows
// nothing of clients and servers: the gate and the streams of package sim apply the effects.
//
// Rules that never trigger are the usual mistake of whoever writes them. So each rule remembers how far the
// best of the things that it saw came, and what stood in the way: see Rule.WhyUnused.
package fault
