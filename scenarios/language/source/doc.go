// Package source knows the positions of the parts of a scenario in its file, so that an error can say the
// line and the column of it:
//
//	scenarios/x.yaml:14:12: spec.steps[2].after: invalid duration "5 s"
//
// A field has a path, spec.steps[2].after. The decoder notes the place of each path in a File; everything behind it,
// up to the run, names the path only, and File.Errorf adds the place. A field may also hold a text with lines of its
// own, such as a manifest or an expression: File.TextPosition turns a line and a column of the text into those of the
// file.
//
// An Error says what is wrong and, in Try, what to write instead. An ErrorList is everything that is wrong: code that
// looks for mistakes continues after the first.
package source
