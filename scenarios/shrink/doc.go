// Package shrink makes a failing scenario small: it finds the smallest one that still fails the same check
// with the same seed.
//
// It works by trial, as delta debugging does (Zeller and Hildebrandt, 2002): leave half of the steps out, and see
// whether the check still fails; if so, continue with what is left; if not, put them back and try the other half, then
// quarters, down to single steps. Faults, pod rules, every other field, the objects in manifests, numbers and times are
// treated alike, until nothing more can be left out.
//
// A scenario can also come to fail for another reason, for one that is not a bug: with two replicas, a check that wants
// eight available ones fails always. So a smaller scenario must not only fail, but be able to pass in a way in which
// the original does: with another seed, or without its faults. Where the original never passes, the failure must at
// least have the same words.
//
// The YAML is edited node by node, so that comments and the way in which things are written survive.
//
//	s := shrink.Shrinker{File: "my.yaml", Text: text, Seed: 7, Run: run, Parallel: 2}
//	result, err := s.Shrink(ctx)
//	os.WriteFile("small.yaml", result.Text, 0o644)
package shrink
