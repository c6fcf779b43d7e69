package trace

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"
)

const reference = "../../docs/reference/trace-format.md"

// TestReference holds the reference to what it describes: every kind and field is in it, its example lines
// are records, and its sample of the text is what a script of this package prints.
func TestReference(t *testing.T) {
	data, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for name := range fieldNames(reflect.TypeFor[Record](), map[string]bool{}) {
		if !strings.Contains(text, "`"+name+"`") && !strings.Contains(text, "\n### "+name+"\n") {
			t.Errorf("%s does not describe the field %q", reference, name)
		}
	}
	for _, kind := range Kinds() {
		section, _, _ := strings.Cut(text[strings.Index(text, "\n### "+string(kind)+"\n")+1:], "\n### ")
		if !strings.Contains(section, `"kind":"`+string(kind)+`"`) {
			t.Errorf("%s has no example of a %s", reference, kind)
		}
	}
	for _, block := range blocks(text, "jsonl") {
		for line := range strings.Lines(block) {
			record, err := Decode([]byte(line))
			if err != nil {
				t.Errorf("%s: %v: %s", reference, err, line)
				continue
			}
			if again := append(marshal(record), '\n'); !bytes.Equal(again, []byte(line)) {
				t.Errorf("%s:\n%sis written as\n%s", reference, line, again)
			}
		}
	}
	script, err := os.ReadFile("testdata/text/sync.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks(text, "text") {
		if !strings.Contains(string(script), block) {
			t.Errorf("%s: the sample is not what testdata/text/sync.txt prints", reference)
		}
	}
}

// fieldNames collects the JSON names of a type's fields, at any depth.
func fieldNames(t reflect.Type, names map[string]bool) map[string]bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return names
	}
	for i := range t.NumField() {
		field := t.Field(i)
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names[name] = true
		}
		fieldNames(field.Type, names)
	}
	return names
}

// blocks are the fenced blocks of a language in a Markdown text.
func blocks(text, language string) []string {
	var found []string
	for _, part := range strings.Split(text, "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		found = append(found, block)
	}
	return found
}
