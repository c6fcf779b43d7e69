// Package format defines the file format of a scenario, kubestep.dev/v1alpha1: its types, decoder and encoder.
//
// The struct tags of the types are the format (see Scenario). The decoder and Encode use them, and so do JSONSchema and
// Reference, which describe the format. Load processes a file in three phases:
//
//	decode    YAML nodes to values; records the position of each field (package source)
//	default   sets the fields that the file omits, so that no later code has to check for them
//	validate  checks what the types cannot express: steps go forward in time, a check has one condition
//
// Each phase continues after an error, so that one call reports all of them.
//
// The format does not know verbs by name. Load receives a table of them, Verbs, and a Verb has methods for what the
// format needs: its fields, its errors, its description. It does not use a simulation either: package runner checks
// whether a controller exists, an expression compiles or the API server accepts a manifest.
package format

// Documentation is where the pages of docs/ are; an installed kubestep does not bring them.
const Documentation = "https://github.com/kubestep/kubestep/blob/main/docs/"
