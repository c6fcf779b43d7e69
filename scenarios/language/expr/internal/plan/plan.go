// Package plan makes steps of kubestep's own into steps of CEL's plans. How CEL evaluates a step depends on its version, which
// is that of the version of Kubernetes.
package plan
