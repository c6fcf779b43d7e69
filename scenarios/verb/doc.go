// Package verb has the verbs of a scenario's steps: what kubectl does (apply, scale, delete), what goes wrong (fault,
// node, pod), what is waited for, and what the reader is told. Each verb has a file, and all that kubestep knows of the
// verb is in that file:
//
//   - a row for the table: one sentence, an example for the reference, and what people write instead;
//   - the type of its value, whose tags are the format: the decoder, the JSON Schema and the reference read them;
//   - Role, whether it is a request, a fault or something else: whoever leaves faults out asks this;
//   - Check, the mistakes that can be seen in the file;
//   - String, how it reads in the trace;
//   - Do, how it is carried out in a World;
//   - its commands: how it is typed at the prompt of kubestep open, and what tab offers there.
//
// A verb is added with such a file, and with a row in table.go. A test reads the sources of kubestep and fails when any
// other place knows a verb by its name.
//
// Some verbs have more to say. They implement the small interfaces of verb.go, such as Prober for mistakes that only
// the API server finds, and the places that ask for them name the interface, not the verb.
package verb
