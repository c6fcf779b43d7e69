// Package manifest reads the Kubernetes manifests in a text of a scenario, such as the one behind "apply: |", as
// kubectl does with strict validation: a field that Kubernetes does not know, a field that is duplicate, and a value
// of the wrong type are errors, under the name of the field and at their own lines of the scenario.
//
// Each document is read twice: by upstream's decoders, which decide what is right, and as nodes, which know their
// lines. Upstream gives up at the first value of a wrong type and tells it in the words of Go; so when it refuses an
// object, package manifest compares the object with the type of its kind (structure.go) and reports all that is wrong.
package manifest
