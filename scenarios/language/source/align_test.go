package source

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestTextPosition marks a place in a text with @ in the source, and looks for the character behind it in the value.
func TestTextPosition(t *testing.T) {
	for name, source := range map[string]string{
		"plain":                "a: b == @c\n",
		"plain, two lines":     "a: b ==\n  @c\n",
		"single quotes":        "a: 'it''s @c'\n",
		"single, two lines":    "a: 'it''s\n\n    @c'\n",
		"double quotes":        "a: \"x \\\"y\\\" \\u00e9 \\x41 @c\"\n",
		"a newline in quotes":  "a: \"x\\n y @c\"\n",
		"a continued line":     "a: \"x \\\n    y @c\"\n",
		"literal":              "a: |\n  b &&\n    @c\n",
		"literal, other block": "a: |2-\n    b &&\n  @c\n",
		"folded":               "a: >\n  b &&\n  @c\n",
		"folded, paragraphs":   "a: >-\n  b &&\n\n  d\n    @c\n",
		"not ASCII":            "a: 'é ü @c'\n",
		"Windows lines":        "a: >\r\n  b &&\r\n  @c\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			before, _, _ := strings.Cut(source, "@")
			want := Position{Line: 1 + strings.Count(before, "\n"), Column: 1 + len([]rune(before[strings.LastIndex(before, "\n")+1:]))}
			text := strings.Replace(source, "@", "", 1)
			var document yaml.Node
			if err := yaml.Unmarshal([]byte(text), &document); err != nil {
				t.Fatal(err)
			}
			node := document.Content[0].Content[1]
			f := NewFile("x.yaml", []byte(text))
			f.PutText("a", node)
			value := node.Value[:strings.LastIndex(node.Value, "c")]
			line, column := 1+strings.Count(value, "\n"), 1+len([]rune(value[strings.LastIndex(value, "\n")+1:]))
			if got := f.TextPosition("a", line, column); got != want {
				t.Errorf("line %d, column %d of %q is at %v, want %v", line, column, node.Value, got, want)
			}
		})
	}
}
