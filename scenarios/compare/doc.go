// Package compare finds out how two recordings differ.
//
// Two runs of one scenario with one seed are the same to the last byte, so that the first record that
// differs tells where a change began to matter. Two seeds differ from the first record on, in uids, names
// and instants that mean nothing. For them there are decisions: what a controller wrote, other than a
// status, in the words of the text form and with generated names blotted out. Each controller and key has a
// chain of its own, so that it does not matter which of two controllers came first; where two chains diverge,
// the controller decided differently.
//
//	report := compare.Compare(a, b) // two recordings (sim/recording)
package compare
