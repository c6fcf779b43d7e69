package shrink

import (
	"bytes"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// Header is the comment at the top of the resulting file: what fails, and what was removed from which file.
func (r *Result) Header(file string, seed int64) string {
	name, message, _ := strings.Cut(r.Failure.Name+"\n"+r.Failure.Message, "\n")
	lines := []string{
		fmt.Sprintf("The smallest scenario that kubestep shrink found that fails like %s with seed %d%s:", file, seed, r.Choices),
		Change(r.Before, r.After) + ".",
		fmt.Sprintf("With seed %d%s, it fails ", r.Seed, r.Choices) + name + ": " + strings.Join(strings.Fields(message), " "),
	}
	if r.Control != "" {
		lines = append(lines, "It passes "+r.Control+".")
	}
	return "# " + strings.Join(lines, "\n# ") + "\n"
}

// GoTest is a file with a Go test that runs a scenario and fails as it does. path is the path of the new file: its
// package is that of the other tests there. brought are the controllers that do not come with kubestep.
func (r *Result) GoTest(path, scenario string, text []byte, brought []string) ([]byte, error) {
	literal := "`" + string(text) + "`"
	if bytes.ContainsRune(text, '`') {
		literal = strconv.Quote(string(text))
	}
	var options strings.Builder
	for _, name := range brought {
		fmt.Fprintf(&options, "\n\t\t// Controller %s: scenariotest.Controller(%q, ...),", name, name)
	}
	if options.Len() > 0 {
		options.WriteString("\n\t")
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `package %s

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// Test%s fails until the cause of the failure of the scenario %s is fixed.
func Test%s(t *testing.T) {
	scenariotest.Run(t, %s,%s)
}

const %s = %s
`, testPackage(filepath.Dir(path)), camel(scenario), scenario, camel(scenario), constant(scenario), options.String(),
		constant(scenario), literal)
	return format.Source(out.Bytes())
}

func constant(name string) string {
	text := []rune(camel(name))
	text[0] = unicode.ToLower(text[0])
	return string(text) + "Scenario"
}

// camel turns a DNS-1123 label into a Go name: never-two is NeverTwo.
func camel(label string) string {
	var out strings.Builder
	for word := range strings.FieldsFuncSeq(label, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	if out.Len() == 0 || unicode.IsDigit(rune(out.String()[0])) {
		return "Scenario" + out.String()
	}
	return out.String()
}

// testPackage is the name of the package of the tests in a directory.
func testPackage(dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, file := range files {
		if parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly); err == nil {
			return strings.TrimSuffix(parsed.Name.Name, "_test") + "_test"
		}
	}
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	if dir == string(os.PathSeparator) {
		return "scenario_test"
	}
	return strings.ToLower(camel(filepath.Base(dir))) + "_test"
}
