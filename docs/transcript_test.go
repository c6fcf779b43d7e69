package docs_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/tui/command"
)

// transcript is a command in a page, with what it prints. "| head -5" at its end shows the first lines only.
var transcript = regexp.MustCompile("(?s)(```console\n\\$ kubestep ([^\n]*?)(?: \\| head -(\\d+))?\n)(.*?)```\n")

// TestTranscripts runs the commands that the explanations and two how-tos show, and compares what they print.
func TestTranscripts(t *testing.T) {
	rewrite := golden.IsRewriting()
	files, err := filepath.Glob("explanation/*.md")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "howto/why-is-nothing-happening.md", "howto/schedule-with-kube-scheduler.md", "howto/run-upstreams-kubelet.md")
	ran := 0
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fresh := transcript.ReplaceAllFunc(page, func(block []byte) []byte {
			ran++
			part := transcript.FindSubmatch(block)
			printed := printedBy(t, string(part[2]), string(part[3]))
			if printed != string(part[4]) && !rewrite {
				t.Errorf("%s: kubestep %s prints\n%s\nbut the page shows\n%s", file, part[2], printed, part[4])
			}
			return []byte(string(part[1]) + printed + "```\n")
		})
		if rewrite && !bytes.Equal(fresh, page) {
			if err := os.WriteFile(file, fresh, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ran < 6 {
		t.Errorf("only %d transcripts were found", ran)
	}
}

// printedBy is what a command prints, or the first lines of it.
func printedBy(t *testing.T, line, first string) string {
	t.Helper()
	var out, errs bytes.Buffer
	options := command.Options{In: strings.NewReader(""), Out: &out, Err: &errs}
	if code := command.Main(strings.Fields(line), options); code != 0 {
		t.Errorf("kubestep %s: exit code %d: %s", line, code, errs.String())
	}
	lines := strings.SplitAfter(out.String(), "\n")
	if n, err := strconv.Atoi(first); err == nil && n < len(lines) {
		lines = lines[:n]
	}
	return strings.Join(lines, "")
}
