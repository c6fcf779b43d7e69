package trace

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestRedactedLines redacts the lines of records as Redacted does, and changes no others.
func TestRedactedLines(t *testing.T) {
	secret := Object{Resource: secrets, Namespace: "default", Name: "password"}
	create := &Record{Seq: 1, At: time.Second, Kind: KindRequest, Actor: "kubectl", Request: &Request{
		Verb: "create", Object: secret, Code: 201,
		Writes: []Write{{Op: OpCreate, Object: secret, UID: "u", RV: 1, New: []byte(`{"data":{"a":"aHVudGVyMg=="}}`)}},
	}}
	note := &Record{Seq: 2, At: time.Second, Kind: KindNote, Note: &Note{Text: "about secrets <"}}
	lines := append(create.Line(), note.Line()...)
	redacted := append(Redacted(create).Line(), note.Line()...)
	if bytes.Contains(redacted, []byte("aHVudGVyMg")) {
		t.Fatalf("the value is in\n%s", redacted)
	}
	line, other := string(create.Line()), string(Redacted(create).Line())
	escaped := strings.ReplaceAll(string(lines), `"secrets"`, `"\u0073ecrets"`)
	for name, c := range map[string]struct{ lines, want string }{
		"a Secret":                   {string(lines), string(redacted)},
		"a Secret with escapes":      {escaped, string(redacted)},
		"a Secret that is redacted":  {string(redacted), string(redacted)},
		"a last line without an end": {strings.TrimSuffix(line, "\n"), strings.TrimSuffix(other, "\n")},
		"no record":                  {`["secrets","a"]`, `["secrets","a"]`},
		"nothing":                    {"", ""},
	} {
		if got := string(RedactedLines([]byte(c.lines))); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}
