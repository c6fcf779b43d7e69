package format_test

import (
	"bytes"
	"errors"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gopkg.in/yaml.v3"
)

const smallest = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: smallest}
spec: {title: Smallest, steps: []}
`

func TestLoadReadsFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("rolling.yaml", []byte(smallest))
	empty := t.TempDir()
	for _, test := range []struct {
		name, path   string
		message, try string
	}{
		{"good", good, "", ""},
		{"missing, with a near name", filepath.Join(dir, "roling.yaml"),
			"no such file", filepath.Join(dir, "rolling.yaml")},
		{"missing, without suffix", filepath.Join(dir, "rolling"),
			"no such file", filepath.Join(dir, "rolling.yaml")},
		{"missing", filepath.Join(empty, "x.yaml"), "no such file", "kubestep list"},
		{"missing directory", filepath.Join(dir, "a", "b"), "no such file", "kubestep list"},
		{"directory", dir, "is a directory", "*.yaml"},
		{"file as directory", filepath.Join(good, "x"), "not a directory", "check the path"},
		{"empty", write("empty", nil), "contains no scenario", "kubestep list"},
		{"NUL", write("nul", []byte("a: \x00")), "is a binary file", "UTF-8"},
		{"UTF-16", write("utf16", []byte("\xff\xfea\x00:\x00")), "is a binary file", "UTF-8"},
		{"Latin-1", write("latin1", []byte("a: b\nc: \xe9\n")), "is not UTF-8 text", "UTF-8"},
		{"large", write("large", bytes.Repeat([]byte("# a long line of 32 bytes, or so\n"), 1<<20)), "a scenario has at most 33554432", "large data"},
		{"too many values", write("brackets", bytes.Repeat([]byte("["), 5<<20)), "has more than 4 million values", "large data"},
		{"byte order mark", write("bom", []byte("\xef\xbb\xbf"+smallest)), "", ""},
		{"Windows lines", write("crlf", []byte(strings.ReplaceAll(smallest, "\n", "\r\n"))), "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := format.Load(test.path, verb.All)
			if test.message == "" {
				if err != nil || s.Path() != test.path || s.Metadata.Name != "smallest" {
					t.Fatalf("Load = %v, %v", s, err)
				}
				return
			}
			var e *source.Error
			if s != nil || !errors.As(err, &e) {
				t.Fatalf("Load = %v, %v", s, err)
			}
			if e.File != test.path || !strings.Contains(e.Message, test.message) ||
				!strings.Contains(e.Try, test.try) {
				t.Errorf("Load = %v, Try: %s", e, e.Try)
			}
		})
	}
}

// TestUnreadableFile needs a user who is not allowed everything.
func TestUnreadableFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(path, []byte(smallest), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(path); err == nil {
		t.Skip("this user can read everything")
	}
	_, err := format.Load(path, verb.All)
	if err == nil || !strings.HasSuffix(err.Error(), "secret.yaml: permission denied") {
		t.Errorf("Load = %v", err)
	}
}

func TestErrorListSortsByPosition(t *testing.T) {
	_, err := format.Parse("x.yaml", []byte("spec:\n  horizon: 5 s\n  zzz: 1\nabc: 1\n"), verb.All)
	last := 0
	for _, e := range err.(source.ErrorList) {
		if e.Line < last {
			t.Errorf("line %d after line %d:\n%v", e.Line, last, err)
		}
		last = e.Line
	}
	want := `x.yaml:2:12: spec.horizon: invalid duration "5 s"`
	if !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nhas no %s", err, want)
	}
}

// TestReportIsBounded: a file that is wrong everywhere does not print a book.
func TestReportIsBounded(t *testing.T) {
	text := strings.Replace(smallest, "[]", "["+strings.Repeat("x, ", 100_000)+"]", 1)
	_, err := format.Parse("x.yaml", []byte(text), verb.All)
	if n := len(err.(source.ErrorList)); n != source.ErrorsMax {
		t.Errorf("%d errors", n)
	}
}

// TestEncodeRoundTrip loads every verb's example, writes the scenario and loads it again.
func TestEncodeRoundTrip(t *testing.T) {
	text := strings.Replace(smallest, "spec: {title: Smallest, steps: []}", "spec:\n  title: All\n"+
		"  cluster: {pods: [{ready: 0s}], heartbeat: 0s, nodes: [{count: 1, kubelet: kubelet}, {count: 1, prefix: simple}]}\n  seed: 0\n  steps:\n", 1)
	for _, row := range verb.All {
		text += indented(row.Example)
	}
	first, err := format.Parse("all.yaml", []byte(text), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	written, err := first.Encode()
	if err != nil {
		t.Fatal(err)
	}
	second, err := format.Parse("all.yaml", written, verb.All)
	if err != nil {
		t.Fatalf("%v\n%s", err, written)
	}
	same := cmp.Options{
		cmpopts.IgnoreFields(format.Scenario{}, "File"),
		// What a verb holds while it runs is not in the file.
		cmp.FilterPath(func(p cmp.Path) bool {
			field, ok := p.Last().(cmp.StructField)
			return ok && !token.IsExported(field.Name())
		}, cmp.Ignore()),
		cmp.Comparer(func(a, b *yaml.Node) bool {
			x, _ := source.PatchJSON(a)
			y, _ := source.PatchJSON(b)
			return bytes.Equal(x, y)
		}),
	}
	if diff := cmp.Diff(first, second, same); diff != "" {
		t.Errorf("the scenario changed (-before +after):\n%s\n%s", diff, written)
	}
}
