package tui

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/tui/internal/opener"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace/visible"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// hostile is a scenario whose texts hold what a terminal acts upon.
const hostile = "../sim/trace/visible/testdata/escapes.yaml"

// colors are the escape sequences of the palettes. Those of the scenario are others.
var colors = regexp.MustCompile("\x1b\\[(0|1|7|(1;)?38;5;[0-9]+)?m")

// checkHidden fails for each line with a character that a terminal acts upon.
func checkHidden(t *testing.T, of, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if shown := visible.Line(line); shown != line {
			t.Errorf("%s: %s", of, shown)
		}
	}
}

// kubestep runs the command line in a process of its own and returns what it prints.
func kubestep(t *testing.T, args ...string) (out, errs string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() > 2 {
		t.Errorf("kubestep %q: %v\n%s", args, err, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// TestNothingHidden runs the hostile scenario through all that prints text: no character that a terminal acts upon
// comes out, neither from the scenario nor from a trace or the name of a file. Each command must show one in its
// visible form, or the test has missed it.
func TestNothingHidden(t *testing.T) {
	dir := t.TempDir()
	source, err := os.ReadFile(hostile)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	named := write("name\x1b[31m\u202e.yaml", source)
	broken := write("broken\x1b[2J.yaml", bytes.ReplaceAll(source, []byte("name: fails"), []byte(`"na\e[31mme\u202E": "x\e[5m"`)))
	foreign := write("foreign\x1b[2J.jsonl", []byte("{\"kind\": \"\u202e\x1b[31m\"}\n"))
	dump := write("dump\x1b[2J.yaml", []byte(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {a: "\u202elive", b: "\u202e\x1b[31m"}}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "x\u2066"}]}}
`))
	recorded := filepath.Join(dir, "a.jsonl")
	kubestep(t, "run", hostile, "--trace-out", recorded, "-o", "summary")
	kubestep(t, "run", hostile, "--seed", "7", "--trace-out", named+".jsonl", "-o", "summary")
	for _, args := range [][]string{
		{"run", hostile},
		{"run", hostile, "-v"},
		{"run", hostile, "-v", "--width", "100"},
		{"run", hostile, "-o", "summary"},
		{"run", named, "-o", "summary"},
		{"describe", hostile},
		{"validate", named},
		{"validate", broken},
		{"validate", filepath.Join(dir, "missing\x1b[31m")},
		{"diff", recorded, named + ".jsonl"},
		{"diff", recorded, foreign},
		{"diff", "--without-faults", named},
		{"explain", "rollout", hostile, "--sync", "\x1b[31m"},
		{"explore", named, "--seeds", "2"},
		{"shrink", named, "--workers", "1"},
		{"init", "--from", foreign},
		{"init", "--from", dump, "--name", "web"},
		{"open", foreign},
		{"screenshot", foreign},
		{"screenshot", hostile},
		{"screenshot", hostile, "-o", "svg", "--keys", "5"},
		{"screenshot", hostile, "-o", "ansi"},
		{"--unknown\x1b[31m"},
		{"unknown\x1b[31m"},
	} {
		out, errs := kubestep(t, args...)
		if slices.Contains(args, "ansi") {
			out = colors.ReplaceAllString(out, "")
		}
		checkHidden(t, "kubestep "+strings.Join(args, " ")+": out", out)
		checkHidden(t, "kubestep "+strings.Join(args, " ")+": err", errs)
		if !strings.Contains(out+errs, `\x1b`) && !strings.Contains(out+errs, `\u202e`) {
			t.Errorf("kubestep %q shows no hidden character:\n%s%s", args, out, errs)
		}
	}
}

// TestNothingHiddenOnScreens looks at the hostile scenario and its recording in all views, and has no escape sequence
// on the screen but those of the palette. A recording that reaches the viewer as it is shows that the last border, the
// view itself, holds too.
func TestNothingHiddenOnScreens(t *testing.T) {
	scenario, err := runner.Open(hostile)
	if err != nil {
		t.Fatal(err)
	}
	palette, err := theme.ForPicture("default", true)
	if err != nil {
		t.Fatal(err)
	}
	entry := picker.NewEntry(scenario, hostile)
	raw, err := opener.Run{Raw: true}.Open(t.Context(), entry, opener.News{})
	if err != nil {
		t.Fatal(err)
	}
	raw.Error = "ERROR\x1b[31m\u202e"
	clean, err := opener.Run{}.Open(t.Context(), entry, opener.News{})
	if err != nil {
		t.Fatal(err)
	}
	clean.Error = raw.Error
	opener.Shown(clean)
	options := Options{Theme: palette, Library: []picker.Entry{entry}, Open: opener.Run{}}
	for _, test := range []struct {
		name  string
		model *Model
	}{
		{"picker", New(options)}, {"loading", NewWith(options, entry)}, {"recording", Show(options, clean)},
	} {
		for _, line := range []string{"", "1", "1 m", "1 tab", "2", "3", "4", "4 tab", "4 tab tab", "4 tab tab tab", "5", "5 tab", "5 end", "P", "P end", "/", ":", "?"} {
			m := test.model
			m.width, m.height = 170, 50
			m.press(strings.Fields(line)...)
			checkHidden(t, test.name+" "+line, colors.ReplaceAllString(m.View(), ""))
			m.press("esc")
			m.status = "STATUS\x1b[31m\u202e\n"
			checkHidden(t, test.name+" status", colors.ReplaceAllString(m.View(), ""))
			m.status = ""
			m.press("P", "P", "esc")
		}
	}
	everyRecord(t, Show(options, clean))
	m := Show(options, raw)
	for _, view := range []string{"1", "4", "5"} {
		m.press(view, "end")
		text := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(m.View(), "")
		checkHidden(t, "a recording as it is, view "+view, text)
	}
}

// everyRecord goes through the records that hold hidden characters.
func everyRecord(t *testing.T, m *Model) {
	t.Helper()
	texts := 0
	for seq := int64(1); seq <= m.viewer.Rec.Len(); seq++ {
		if !slices.ContainsFunc([]string{`\\x1b`, `\\u202e`}, func(text string) bool {
			return strings.Contains(string(m.viewer.Rec.Record(seq).Line()), text)
		}) {
			continue
		}
		texts++
		if texts%7 != 0 {
			continue
		}
		m.viewer.jump(seq)
		for _, view := range []string{"1", "2", "4", "5"} {
			m.press(view)
			checkHidden(t, "record", colors.ReplaceAllString(m.View(), ""))
		}
	}
	if texts == 0 {
		t.Error("no record shows a hidden character")
	}
}
