package verb

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// currentVersion stands for the resourceVersion that an object has when the request is sent.
//
// A client that has read an object writes it back with the resourceVersion that it has read, so that the API server refuses the write if
// somebody else was faster. A resourceVersion counts all writes to the cluster: in a run with one step less, the same object has another
// one, and every such request would be refused. Where a request has the version that its object has at that moment, a scenario says this
// instead.
const currentVersion = "$(resourceVersion)"

// WithoutVersion replaces a version by $(resourceVersion), where a body in JSON has it as a precondition. Other bodies stay as they are.
func WithoutVersion(body []byte, version string) []byte {
	if version == "" {
		return body
	}
	return replaceVersion(body, version, func() string { return currentVersion })
}

// expandVersion replaces $(resourceVersion) by a version. current is called if that is needed.
func expandVersion(body []byte, current func() string) []byte {
	if !bytes.Contains(body, []byte(currentVersion)) {
		return body
	}
	return replaceVersion(body, currentVersion, current)
}

func replaceVersion(body []byte, old string, with func() string) []byte {
	out := body
	found := preconditions(body)
	for _, p := range slices.Backward(found) {
		if p.value == old {
			text, _ := json.Marshal(with()) // a string always encodes
			out = slices.Concat(out[:p.start], text, out[p.end:])
		}
	}
	return out
}

// precondition is a resourceVersion in a body, as the text from start to end.
type precondition struct {
	value      string
	start, end int
}

// patchPath is where the operation of a JSON patch names the version.
const patchPath = "/metadata/resourceVersion"

// preconditions are those of an object, of the options of a deletion or an eviction, or of a patch, in the order of the text.
func preconditions(body []byte) []precondition {
	r := bodyReader{body: body, decoder: json.NewDecoder(bytes.NewReader(body))}
	if !r.value(nil) {
		return nil
	}
	slices.SortFunc(r.found, func(a, b precondition) int { return a.start - b.start })
	return r.found
}

// bodyReader walks through a text of JSON.
type bodyReader struct {
	body    []byte
	decoder *json.Decoder
	found   []precondition
}

// value reads one value below some keys, and reports whether it could. Items of lists have the key "[]".
func (r *bodyReader) value(keys []string) bool {
	before := r.decoder.InputOffset()
	token, err := r.decoder.Token()
	if err != nil {
		return false
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '[' {
			return r.list(keys)
		}
		return r.object(keys)
	case string:
		if isVersion(keys) {
			r.found = append(r.found, r.text(token, before))
		}
	}
	return true
}

// text is a string that ends where the decoder is. Before it are at most a colon and spaces.
func (r *bodyReader) text(value string, before int64) precondition {
	end := int(r.decoder.InputOffset())
	return precondition{value, int(before) + bytes.IndexByte(r.body[before:end], '"'), end}
}

// isVersion reports whether a precondition is at some keys.
func isVersion(keys []string) bool {
	switch strings.Join(keys, ".") {
	case "metadata.resourceVersion", "preconditions.resourceVersion", "deleteOptions.preconditions.resourceVersion":
		return true
	}
	return false
}

func (r *bodyReader) list(keys []string) bool {
	below := append(slices.Clip(keys), "[]")
	for r.decoder.More() {
		if !r.value(below) {
			return false
		}
	}
	_, err := r.decoder.Token()
	return err == nil
}

// object reads the fields of an object, which may be an operation of a JSON patch.
func (r *bodyReader) object(keys []string) bool {
	var path string
	var operand []precondition
	for r.decoder.More() {
		key, err := r.decoder.Token()
		if err != nil {
			return false
		}
		name, _ := key.(string)
		before := r.decoder.InputOffset()
		if len(keys) == 1 && keys[0] == "[]" && (name == "path" || name == "value") {
			token, err := r.decoder.Token()
			text, ok := token.(string)
			switch {
			case err != nil:
				return false
			case ok && name == "path":
				path = text
			case ok:
				operand = append(operand, r.text(text, before))
			default:
				if _, opens := token.(json.Delim); opens && !r.rest() {
					return false
				}
			}
			continue
		}
		if !r.value(append(slices.Clip(keys), name)) {
			return false
		}
	}
	if path == patchPath {
		r.found = append(r.found, operand...)
	}
	_, err := r.decoder.Token()
	return err == nil
}

// rest passes over what is left of a list or an object that has begun.
func (r *bodyReader) rest() bool {
	for depth := 1; depth > 0; {
		token, err := r.decoder.Token()
		if err != nil {
			return false
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
	}
	return true
}
