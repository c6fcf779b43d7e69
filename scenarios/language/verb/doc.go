// Package verb defines the verbs of a scenario's steps: what kubectl does (apply, scale, delete), faults (fault, node,
// pod), waiting, and texts for the reader. Each verb has a file with everything that kubestep knows about it:
//
//   - a row for the table: one sentence, an example for the reference, and common wrong names;
//   - the type of its value, whose tags are the format: the decoder, the JSON Schema and the reference read them;
//   - Role, whether it is a request, a fault or something else, for options that leave out faults;
//   - Check, the errors that the file shows;
//   - String, its form in the trace;
//   - Do, its execution in a World;
//   - its commands: its form at the prompt of kubestep open, and the completions there.
//
// To add a verb, add such a file, and a row in table.go. A test reads the sources of kubestep and fails if any other
// place uses a verb by its name.
//
// Some verbs implement more of the small interfaces in verb.go, such as Prober for errors that only the API server
// finds. Callers use the interface, not the verb.
package verb
