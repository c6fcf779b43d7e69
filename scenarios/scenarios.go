// Package scenarios holds the scenarios that come with kubestep: one YAML file each, in a folder for each kind.
//
//	lessons      what a Kubernetes beginner meets, in small steps
//	controllers  what each controller of kube-controller-manager does
//	bugs         the gallery: what upstream's code does and should not, or what surprises
//	conformance  what a real control plane did with the same manifests
//
// The folders below this one are the rooms around a scenario, from the bottom up: language (what a file may say), verdict (what must
// hold), runner (one run), reading (what a run tells), explore (many runs), incident, serving and web (to and from clusters and
// browsers). docs/explanation/architecture.md draws the layout, and docs/reference/packages.md has a line for each package.
package scenarios

import "embed"

// Files are the scenarios: lessons/NAME.yaml and so on. Package library finds one.
//
//go:embed lessons controllers conformance bugs
var Files embed.FS
