// Package shrink reduces a failing scenario to the smallest one that still fails the same check with the same seed.
//
// It works by trial, like delta debugging (Zeller and Hildebrandt, 2002): remove half of the steps, and run the
// scenario; if the check still fails, continue with the rest; if not, restore them and try the other half, then
// quarters, down to single steps. Faults, pod rules, every other field, the objects in manifests, numbers and times are
// treated the same way, until nothing more can be removed. Then two steps are removed at a time, and other seeds are tried.
//
// A scenario can also fail for another reason that is not a bug: with two replicas, a check that requires eight
// available ones always fails. So a smaller scenario must not only fail, but also be able to pass in a way in which the
// original does: with another seed, without its faults, or without watch latency. If the original never passes, the failure
// must at least have the same message.
//
// Nor may a scenario fail because its run ends sooner: with the horizon of the original, it fails in the same way.
//
// The YAML is edited node by node, so that comments and formatting are preserved.
//
//	s := shrink.Shrinker{File: "my.yaml", Text: text, Seed: 7, Run: run, Parallel: 2}
//	result, err := s.Shrink(ctx)
//	os.WriteFile("small.yaml", result.Text, 0o644)
package shrink
