package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

// Traces are made to be shared, so the values of Secrets are redacted in every record: in objects, changes and patches,
// and in the copy that kubectl apply keeps in an annotation. A digest stays, so that a change shows. The objects in the
// store have the true values; only what is recorded is redacted.

// redactedPrefix begins a redacted value; the digest follows.
const redactedPrefix = "redacted:"

// digestBytes is how much of the digest is shown: enough to tell two values apart, too little to confirm a guess.
const digestBytes = 4

const secrets = "secrets"

// lastApplied is the annotation in which kubectl apply keeps the whole object (corev1.LastAppliedConfigAnnotation).
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Redacted returns the record without the values of Secrets: the record itself, if it has none. It is idempotent.
func Redacted(record *Record) *Record {
	request := record.Request
	if request == nil || !concernsSecret(request) {
		return record
	}
	redacted, safe := *record, *request
	redacted.Request = &safe
	if request.Resource == secrets {
		safe.Patch = redactPatch(request.Patch)
	}
	safe.Writes = slices.Clone(request.Writes)
	for i := range safe.Writes {
		if w := &safe.Writes[i]; w.Resource == secrets {
			w.New = redactJSON(w.New, nil)
			w.Changes = redactChanges(w.Changes)
		}
	}
	return &redacted
}

// RedactedLines are the lines of records without the values of Secrets. Lines of other records, and what is no record, stay as they are.
func RedactedLines(lines []byte) []byte {
	if !mayHaveSecret(lines) {
		return lines
	}
	out := make([]byte, 0, len(lines))
	for line := range bytes.Lines(lines) {
		if mayHaveSecret(line) {
			text, ended := bytes.CutSuffix(line, []byte{'\n'})
			if record, err := Decode(text); err == nil {
				if redacted := Redacted(record); redacted != record {
					if line = redacted.Line(); !ended {
						line = bytes.TrimSuffix(line, []byte{'\n'})
					}
				}
			}
		}
		out = append(out, line...)
	}
	return out
}

// mayHaveSecret reports whether lines may name the resource secrets, which JSON can write with escapes.
func mayHaveSecret(lines []byte) bool {
	return bytes.Contains(lines, []byte(secrets)) || bytes.Contains(lines, []byte(`\u`))
}

// concernsSecret reports whether a request has a value of a Secret, or could have one.
func concernsSecret(request *Request) bool {
	return request.Resource == secrets && len(request.Patch) > 0 ||
		slices.ContainsFunc(request.Writes, func(w Write) bool { return w.Resource == secrets })
}

func redactChanges(changes []diff.Change) []diff.Change {
	changes = slices.Clone(changes)
	for i := range changes {
		c := &changes[i]
		var path []string
		if steps, err := diff.ParsePath(c.Path); err == nil {
			for _, step := range steps {
				path = append(path, step.Name)
			}
		}
		c.Old, c.New = redactJSON(c.Old, path), redactJSON(c.New, path)
	}
	return changes
}

// redactPatch redacts a patch of any type: a merge patch has the form of the object, a JSON patch is a list of operations.
func redactPatch(patch json.RawMessage) json.RawMessage {
	var operations []map[string]json.RawMessage
	if json.Unmarshal(patch, &operations) != nil {
		return redactJSON(patch, nil)
	}
	for _, operation := range operations {
		var pointer string
		if json.Unmarshal(operation["path"], &pointer) != nil || operation["value"] == nil {
			continue
		}
		operation["value"] = redactJSON(operation["value"], pointerPath(pointer))
	}
	return marshal(operations)
}

// pointerPath splits a JSON pointer. A patch may have one without the slash at its start, by mistake.
func pointerPath(pointer string) (path []string) {
	if pointer == "" {
		return nil
	}
	for _, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
	}
	return path
}

// redactJSON redacts a part of a Secret, which stands at a path.
func redactJSON(document json.RawMessage, path []string) json.RawMessage {
	if len(document) == 0 {
		return document
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return marshal(RedactedValue(document))
	}
	return marshal(redactValue(value, path))
}

// redactValue redacts what is below a path of a Secret.
func redactValue(value any, path []string) any {
	if value == nil {
		return nil
	}
	fields, ok := value.(map[string]any)
	if isSecret(path, ok) {
		return redacted(value, path[0] == "data")
	}
	if !ok {
		return value
	}
	for name := range fields {
		fields[name] = redactValue(fields[name], append(slices.Clone(path), name))
	}
	return fields
}

// open are the fields of a Secret that are not confidential, and those of a patch. A patch can have others by mistake.
var open = []string{"apiVersion", "kind", "metadata", "type", "immutable", "$patch", "$retainKeys", "$setElementOrder"}

// isSecret reports whether the field at a path is confidential. data is redacted value by value, where it has values.
func isSecret(path []string, hasFields bool) bool {
	switch {
	case len(path) == 0:
		return false
	case path[0] == "data" || path[0] == "stringData":
		return len(path) > 1 || !hasFields
	case len(path) == 3 && path[0] == "metadata" && path[1] == "annotations":
		return path[2] == lastApplied
	}
	return !slices.Contains(open, path[0])
}

// redacted is what is shown of a value. A value has one digest, whether it is encoded or not.
func redacted(value any, encoded bool) string {
	text, ok := value.(string)
	switch {
	case !ok:
		return RedactedValue(marshal(value))
	case strings.HasPrefix(text, redactedPrefix) && len(text) == len(redactedPrefix)+hex.EncodedLen(digestBytes):
		return text
	}
	if plain, err := base64.StdEncoding.DecodeString(text); encoded && err == nil {
		return RedactedValue(plain)
	}
	return RedactedValue([]byte(text))
}

// RedactedValue is what is shown of a value of a Secret, decoded.
func RedactedValue(value []byte) string { return redactedPrefix + digest(value) }

func digest(value []byte) string {
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:digestBytes])
}
