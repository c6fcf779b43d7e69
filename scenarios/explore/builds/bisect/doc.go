// Package bisect runs a scenario with each version of Kubernetes that is built, and tells since which version its checks fail
// or pass.
//
// It is no search by halves: a run takes less than a second, and a bug may come, go, and come again with patch versions. So
// every build in the range runs, and the report names each version in which the result changes.
package bisect
