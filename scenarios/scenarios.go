// Package scenarios holds the scenarios that come with kubestep: one YAML file each, in a folder for each kind.
//
//	lessons      what a Kubernetes beginner meets, in small steps
//	controllers  what each controller of kube-controller-manager does
//	bugs         the gallery: what upstream's code does and should not, or what surprises
//	conformance  what a real control plane did with the same manifests
//
// The packages below this one read, run and explore scenarios. Each is a layer that imports only those in front of it:
//
//	spelling     the word that was probably meant
//	expr         conditions: CEL over objects and the trace
//	source       where a field is in a file, and errors about it
//	notation     durations, ranges, quantities, targets, what is waited for
//	manifest     Kubernetes manifests inside a scenario
//	format       the types of a file, its decoder, checks and schema; knows no verb
//	verb         what the steps do: one file a verb
//	library      the files of this package, by name and in the order of the course
//	glossary     what the terms mean, for screens and the reference
//	invariant    what must hold in every run
//	runner       runs a scenario
//	child, verify, sweep, shrink, compare, branch, snapshot, command   what is built of runs
package scenarios

import "embed"

// Files are the scenarios: lessons/NAME.yaml and so on. Package library finds one.
//
//go:embed lessons controllers conformance bugs
var Files embed.FS
