package output

import (
	"errors"
	"reflect"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/sim/trace/visible"
)

// TestVisibleYAML shows that a YAML document means the same, whatever the style of its texts.
func TestVisibleYAML(t *testing.T) {
	for _, document := range []string{
		"a: plain\nb: |\n  two\n  lines\n",
		"# \u202ecomment\na: x\u202elive\nb: |\n  two\u2066\n  lines\n'\u200fkey': [\"\\e[31m\u202e\", 'it''s\u061c']\n",
	} {
		got, err := VisibleYAML([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		var before, after map[string]any
		if err := errors.Join(yaml.Unmarshal([]byte(document), &before), yaml.Unmarshal(got, &after)); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if text := string(got); visible.Text(text) != text || !reflect.DeepEqual(before, after) {
			t.Errorf("%q: %q", document, got)
		}
	}
}
