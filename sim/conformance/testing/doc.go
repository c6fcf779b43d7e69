// Package testing is what upstream's integration tests get in place of Go's package testing. Their imports are
// rewritten (package upstream), so that a test, its subtests and its cleanup all run in one bubble of virtual time, in a
// program of which each process runs one test.
//
// It differs from Go's package in what a bubble does not allow, and in what one process for each test makes unnecessary:
//
//	Run       in Go's package, panics in a bubble; here a subtest is a goroutine of the same bubble
//	Parallel  does nothing: tests of one process do not run in parallel
//	Deadline  there is none; the runner ends a process that takes too long
//	Context   ends when the test function has returned, as in Go's package
//	panics    of the test's own goroutines fail the test, whose cleanup then runs; others end the process
package testing
