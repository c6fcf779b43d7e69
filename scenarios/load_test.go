package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestLoad runs the scripts in testdata/load. Their commands read a piece of a scenario and print
// the errors, with positions inside the piece, or "ok":
//
//	load            a whole file
//	spec            fields of spec; title and steps are added
//	steps, checks   items of the list
//
// print=NAME prints that part of the loaded spec with its defaults, and cel turns a compiler on
// for which "??" is an error.
func TestLoad(t *testing.T) {
	datadriven.Walk(t, "testdata/load", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			before, after := fragmentFrame(t, d)
			var options Options
			if d.HasArg("cel") {
				options.CompileCEL = questionMarks
			}
			text := d.Input + "\n"
			if before != "" {
				text = before + indented(text) + after
			}
			s, err := ParseWith("s.yaml", []byte(text), options)
			if err != nil {
				return printErrors(err, before)
			}
			if d.HasArg("print") {
				var part string
				d.ScanArgs(t, "print", &part)
				return printPart(t, s, part)
			}
			return "ok\n"
		})
	})
}

// fragmentFrame is what must stand around the input to make a whole file.
func fragmentFrame(t *testing.T, d *datadriven.TestData) (before, after string) {
	const head = "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: test}\nspec:\n"
	switch d.Cmd {
	case "load":
		return "", ""
	case "spec":
		for _, needed := range []string{"title: Test", "steps: []"} {
			name, _, _ := strings.Cut(needed, " ")
			if !strings.Contains("\n"+d.Input, "\n"+name) {
				after += "  " + needed + "\n"
			}
		}
		return head, after
	case "steps":
		return head + "  title: Test\n  steps:\n", ""
	case "checks":
		return head + "  title: Test\n  steps: []\n  checks:\n", ""
	}
	d.Fatalf(t, "unknown command %s", d.Cmd)
	return "", ""
}

func indented(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = "  " + line
		}
	}
	return strings.Join(lines, "")
}

// printErrors moves the positions from the whole file to the input.
func printErrors(err error, before string) string {
	var out strings.Builder
	for _, e := range err.(ErrorList) {
		moved := *e
		if before != "" && moved.Line > 0 {
			moved.Line -= strings.Count(before, "\n")
			moved.Column = max(0, moved.Column-2)
		}
		fmt.Fprintln(&out, moved.Error())
		fmt.Fprintln(&out, "  Try:", moved.Try)
	}
	return out.String()
}

func printPart(t *testing.T, s *Scenario, part string) string {
	value, ok := map[string]any{
		"cluster": s.Spec.Cluster, "kubernetes": s.Spec.Kubernetes, "steps": s.Spec.Steps,
		"spec": s.Spec, "checks": s.Spec.Checks,
	}[part]
	if !ok {
		t.Fatalf("no part %q", part)
	}
	text, err := encodeYAML(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// questionMarks is a CEL compiler that knows one mistake, and words it as cel-go does.
func questionMarks(expr string) error {
	before, _, found := strings.Cut(expr, "??")
	if !found {
		return nil
	}
	line := 1 + strings.Count(before, "\n")
	column := len(before) - strings.LastIndex(before, "\n")
	return fmt.Errorf("ERROR: <input>:%d:%d: token recognition error at: '??'\n | %s\n | ^",
		line, column, expr)
}
