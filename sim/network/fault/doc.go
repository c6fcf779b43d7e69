// Package fault implements fault rules.
//
// A rule is data: to which requests or watch events it applies (Match), which of those trigger it (the n-th, a number
// of times, from one virtual time to another, with some probability), and what happens to them (Effect). A Set holds
// the rules of a simulation and is called for every request and watch event. It does not depend on clients and servers:
// the gate and the streams of package sim apply the effects.
//
// The usual mistake is a rule that never triggers. So each rule remembers how many of its criteria the best candidate
// met, and which one failed: see Rule.WhyUnused.
package fault
