// Package knowledge tells what a controller could know when it decided: up to which revisions its caches had come, and what they held of a
// value or of a Pod at these revisions.
package knowledge
