// Package healthy holds scenarios of clusters that look wrong and are right: testdata has a hundred and more of them, each with one unusual
// object. A Deployment is paused for good, a volume is kept after its claim, a node is lost and its Pods tolerate that.
//
// A verdict that is wrong is worse than none: whoever meets an object that is called stuck although it is as documented does not
// believe the next verdict either. The packages liveness and invariant say what is wrong; the test of this package says that they
// are silent about what is not. Whoever adds a goal or an invariant runs it, and whoever meets a false alarm adds a file.
//
// The first line of a file is a comment that says what is unusual in it, and why it is right by the documentation of Kubernetes. The run
// ends at rest, a minute or more after its last write, since there is no verdict about objects before that. Steps that only expect
// something let the verdicts look earlier, too. A file runs the controllers that its objects are for, or all of them.
//
// The package has no code besides its test.
package healthy
