// Package touch says what may be done to a thing that a reader points at: a program, a node, an object, or a message. Each is a command
// with which a branch of the run begins:
//
//	run := touch.Run{Scenario: s, Beat: beat}
//	for _, offer := range run.Offers(touch.Thing{Message: 412}) {
//		fmt.Println(offer.Command, offer.About)      // fault conflict 412: the write fails with a conflict, once
//	}
//	added, err := run.Parse("fault conflict 412")
//	branched, err := branch.Add(s, beat.Rec, added.At, added.Steps...)
//
// The commands are those of the verbs (package verb). What may be done to a message is a place of package place: the same fault that
// kubestep explore --every tries there.
package touch
