// Package answers compares what API servers answer to the same requests: a kube-apiserver with its etcd, and the fronts of the
// simulated one.
//
// Rows are the requests. They come from tables: each kind of object is created, updated, patched, deleted and read, whether it exists or
// not, as a dry run, in several media types, with unknown and duplicate fields, with bodies that belong elsewhere, and so on. A row has
// objects of its own, named after its number, so rows may run in any order.
//
//	plane := answers.NewPlane(send, "k3x9q")
//	err := plane.Prepare()                     // makes two namespaces and the definition of a custom resource
//	answer, err := plane.Ask(answers.Rows()[0]) // makes the objects of the row, sends its request
//
// An Answer is the status code, the headers that clients look at, and the body. What differs between two servers that do the same is
// replaced by a word: uids, resourceVersions, times, addresses, generated names.
//
// The Recording in testdata has the answers of a kube-apiserver that was built from the module that this module requires; program
// record writes it. Differences lists where a front of the simulated server answers something else, with the reason. Page is the result.
package answers
