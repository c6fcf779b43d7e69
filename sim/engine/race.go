package engine

import "testing"

// RaceError says that the race detector found a data race while a bubble ran. The race detector describes it on standard error.
type RaceError struct{}

// Error implements error.
func (*RaceError) Error() string {
	return "data race: the race detector found one while the simulation ran, and describes it on standard error"
}

// detecting runs a bubble in a program with the race detector. Once that one has found something, package testing logs it to the test of
// the bubble, and asks for a flag that exists only after Init: without, a nil pointer ends the process. Then it fails the bubble's parent,
// a test that does not exist, which ends the calling goroutine (FailNow): whoever waits for the answer would wait forever. So the bubble
// has a goroutine that may end.
func detecting(bubble func() error) (err error) {
	testing.Init()
	err = &RaceError{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = bubble()
	}()
	<-ended
	return err
}
