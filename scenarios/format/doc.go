// Package format is the file format of a scenario, kubestep.dev/v1alpha1: its types, and what is made of them.
//
// The struct tags of the types are the format (see Scenario). The decoder reads files with them, JSONSchema and
// Reference describe the format with them, and Encode writes files with them. Load goes through a file in three turns:
//
//	decode    YAML nodes to values; notes the place of each field (package source)
//	default   what the file leaves out gets a value, so that nobody behind Load need ask again
//	validate  what the types cannot say: steps go forward in time, a check has one condition
//
// Each turn continues after a mistake, so that one call reports all of them.
//
// The format knows no verb by name. Load is given a table of them, Verbs, and a Verb answers what the format asks: its
// fields, its mistakes, how it reads. It knows no simulation either: whether a controller exists, an expression compiles
// or the API server takes a manifest is for package runner to find out.
package format
