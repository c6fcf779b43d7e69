// Package decision implements the invariants about single decisions of one controller: what it wrote, next to what its caches had.
//
//	what caches held (knowledge) + a write of a controller --rule--> the write contradicts the caches, or nothing
//
// A cache lags, and a controller reads it at some moment of its sync. So a rule is broken only if every version that the caches had in that
// time contradicts the write. What a user, a kubelet or another controller does is no decision of this one.
package decision
