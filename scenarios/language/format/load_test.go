package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"

	"github.com/cockroachdb/datadriven"
)

// TestLoad runs the scripts in testdata/load. Their commands read a piece of a scenario and print
// the errors, with positions inside the piece, or "ok":
//
//	load            a whole file
//	spec            fields of spec; title and steps are added
//	steps, checks   items of the list
//
// print=NAME prints that part of the loaded spec with its defaults, and prepare also looks for the mistakes that are found
// before a run: expressions, and names that only the API server and the controllers know.
func TestLoad(t *testing.T) {
	datadriven.Walk(t, "testdata/load", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			before, after := fragmentFrame(t, d)
			text := d.Input + "\n"
			if before != "" {
				text = before + indented(text) + after
			}
			s, err := format.Parse("s.yaml", []byte(text), verb.All)
			if err == nil && d.HasArg("prepare") {
				_, err = runner.Prepare(s)
			}
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
	for _, e := range err.(source.ErrorList) {
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

func printPart(t *testing.T, s *format.Scenario, part string) string {
	value, ok := map[string]any{
		"cluster": s.Spec.Cluster, "kubernetes": s.Spec.Kubernetes, "steps": s.Spec.Steps,
		"spec": s.Spec, "checks": s.Spec.Checks, "futures": s.Spec.Futures,
	}[part]
	if !ok {
		t.Fatalf("no part %q", part)
	}
	text, err := format.EncodeYAML(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
