// Package recording holds a run for somebody who looks at it: every record, the objects at every record,
// what caused what, and the workloads as a reader thinks of them.
//
// A Recording is made once, by a Builder that is fed with records (Read does it for JSON lines, scenarios/child
// for a run in a process of its own), and does not change afterwards. To look at another moment is to
// look at another number: everything that a screen shows is a lookup by the number of a record.
package recording
