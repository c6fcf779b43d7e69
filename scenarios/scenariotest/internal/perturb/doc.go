// Package perturb derives from one quiet run of a scenario the faults that a controller has to survive.
//
// A random search (package space) has to be lucky to hit the one write after which a crash does damage. But a run is
// finite: a controller makes so many writes, and users make so many changes to the objects that it watches. Each pattern
// goes through all of these places (package place), and each place is one plan: the fault rules of one more run. A controller that survives
// all plans may still be wrong, but not in the ways in which most of them are.
//
// The first three patterns that read the past are those of Sieve (Sun et al., Automatic Reliability Testing for Cluster
// Management Controllers, OSDI 2022), which names what a controller then acts on: an intermediate state (crash-after-write),
// a stale state (stale-restart), and a state with an unobserved change (missed-change).
//
// A run with a plan is judged by the scenario's checks and invariants, by what is stuck at its end, and by its end: the
// same objects as without the fault, except for what depends on the way to a state, such as times and generated names.
package perturb
