// Package manifest reads the Kubernetes manifests in a text of a scenario, such as the one behind "apply: |", as
// kubectl does with strict validation: a field that Kubernetes does not know, and a field that is there twice, are
// errors, in the words of kubectl and at their own lines of the scenario.
//
// Each document is read twice: by upstream's decoders, which decide what is right, and as nodes, which know their
// lines. Upstream's errors name a field; the nodes say where it stands.
package manifest
