// Package compare compares two recordings.
//
// Two runs of one scenario with one seed are identical, so the first record that differs shows where a change first had
// an effect. Two seeds differ from the first record on, in uids, names and times that mean nothing. For them there are
// decisions: a controller's writes other than a status, in the words of the text form and without generated names. Each
// controller and key has its own chain of decisions, so that the order of two controllers does not matter; where two
// chains diverge, the controller decided differently.
//
//	report := compare.Compare(a, b) // two recordings (sim/recording)
package compare
