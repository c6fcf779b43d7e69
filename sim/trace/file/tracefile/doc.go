// Package tracefile reads the file of a trace, whether it is JSON lines (package trace) or an archive (package archive).
// The content of a file says which, not its name.
//
// A file is read in pieces of half a MiB, which are decoded on all processors and come in order. So a reader needs
// memory for a few pieces, and decides what to keep.
//
//	file, err := tracefile.New(reader)
//	for piece := range file.Pieces(nil) {
//		// piece.Records, piece.Lines, and at the end of a file that is incomplete, piece.Err
//	}
package tracefile
