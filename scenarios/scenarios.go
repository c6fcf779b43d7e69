// Package scenarios holds the scenarios that come with kubestep: one YAML file each, in a folder for each kind.
//
//	lessons      what a Kubernetes beginner meets, in small steps
//	controllers  what each controller of kube-controller-manager does
//	bugs         the gallery: what upstream's code does and should not, or what surprises
//	conformance  what a real control plane did with the same manifests
//
// The packages below this one read, run and explore scenarios, and say what happened; docs/explanation/architecture.md has them all, with
// a line each. They are layers: format, with source, notation and manifest, holds the types of a file and knows no verb; verb does what
// the steps say; runner runs a scenario, and all that is built of runs stands above it.
package scenarios

import "embed"

// Files are the scenarios: lessons/NAME.yaml and so on. Package library finds one.
//
//go:embed lessons controllers conformance bugs
var Files embed.FS
