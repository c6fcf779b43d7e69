package verb

import (
	"strings"
	"testing"
)

// TestVersions: a version is replaced where it is a precondition, and nowhere else; all other bytes stay.
func TestVersions(t *testing.T) {
	for body, want := range map[string]string{
		`{"metadata":{"name":"a","resourceVersion":"7"},"data":{"resourceVersion":"7"}}`:                                             `{"metadata":{"name":"a","resourceVersion":"C"},"data":{"resourceVersion":"7"}}`,
		`{ "metadata" : { "resourceVersion" : "7" } }`:                                                                               `{ "metadata" : { "resourceVersion" : "C" } }`,
		`{"metadata":{"resourceVersion":"8"}}`:                                                                                       `{"metadata":{"resourceVersion":"8"}}`,
		`{"spec":{"template":{"metadata":{"resourceVersion":"7"}}}}`:                                                                 `{"spec":{"template":{"metadata":{"resourceVersion":"7"}}}}`,
		`{"kind":"DeleteOptions","preconditions":{"uid":"7","resourceVersion":"7"}}`:                                                 `{"kind":"DeleteOptions","preconditions":{"uid":"7","resourceVersion":"C"}}`,
		`{"deleteOptions":{"preconditions":{"resourceVersion":"7"}}}`:                                                                `{"deleteOptions":{"preconditions":{"resourceVersion":"C"}}}`,
		`[{"op":"replace","path":"/metadata/resourceVersion","value":"7"},{"op":"add","path":"/metadata/labels","value":{"a":"7"}}]`: `[{"op":"replace","path":"/metadata/resourceVersion","value":"C"},{"op":"add","path":"/metadata/labels","value":{"a":"7"}}]`,
		`[{"value":"7","path":"/metadata/resourceVersion","op":"test"},{"op":"add","path":"/data/x","value":"7"}]`:                   `[{"value":"C","path":"/metadata/resourceVersion","op":"test"},{"op":"add","path":"/data/x","value":"7"}]`,
		`[{"op":"add","path":"/x","value":["7",{"y":"7"}]},{"path":"/metadata/resourceVersion","value":"7"}]`:                        `[{"op":"add","path":"/x","value":["7",{"y":"7"}]},{"path":"/metadata/resourceVersion","value":"C"}]`,
		`metadata: {resourceVersion: "7"}`:                                                                                           `metadata: {resourceVersion: "7"}`,
		`{"metadata":{"resourceVersion":`:                                                                                            `{"metadata":{"resourceVersion":`,
		``:                                                                                                                           ``,
	} {
		want = strings.ReplaceAll(want, `"C"`, `"`+currentVersion+`"`)
		got := string(WithoutVersion([]byte(body), "7"))
		if got != want {
			t.Errorf("%s\nis\n%s, want\n%s", body, got, want)
		}
		if back := string(expandVersion([]byte(got), func() string { return "7" })); back != body {
			t.Errorf("%s\nexpands to\n%s", got, back)
		}
	}
}
