package shell_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/tui/command/shell"
)

// tree is a program with one command.
func tree(use string, flags func(*cobra.Command)) *cobra.Command {
	// Kubernetes' packages have put flags of their own here, which cobra would offer.
	pflag.CommandLine = pflag.NewFlagSet("kubestep", pflag.ContinueOnError)
	root := &cobra.Command{Use: "kubestep", Short: "Step through it", Version: "v1", Run: func(*cobra.Command, []string) {}}
	below := &cobra.Command{
		Use: use, Short: "Do it", Example: "  kubestep do 'it' --now",
		Long: "Do it - as it's done \\ now.\n.Not a macro.\n\n  one  a line\n  two  another", Run: func(*cobra.Command, []string) {},
	}
	flags(below)
	root.AddCommand(below)
	return root
}

// TestUnknownWords finds a flag and an argument whose help names a value that the table does not have, and a flag with a choice of which
// nobody says between what.
func TestUnknownWords(t *testing.T) {
	root := tree("do [FILE...] [THING] --seed N", func(cmd *cobra.Command) {
		cmd.Flags().String("form", "", "output `FORMAT`: none of these words is a value")
		cmd.Flags().String("with", "", "use this `GADGET`")
	})
	got := strings.Join(shell.Complete(root), ", ")
	if want := "kubestep do: THING, kubestep do --form: FORMAT, kubestep do --with: GADGET"; got != want {
		t.Errorf("unknown are %q, want %q", got, want)
	}
}

// TestAPage compares a page with what is expected of one, and asks mandoc, where it is installed, whether it is one.
func TestAPage(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1770000000")
	folder := t.TempDir()
	root := tree("do FILE", func(cmd *cobra.Command) {
		cmd.Flags().StringP("out", "o", "x-y", "write to the file `PATH`")
		cmd.Flags().Bool("secret", false, "not shown")
		_ = cmd.Flags().MarkHidden("secret")
	})
	if count, err := shell.WritePages(root, folder); err != nil || count != 2 {
		t.Fatalf("%d pages, %v", count, err)
	}
	page, err := os.ReadFile(filepath.Join(folder, "kubestep-do.1"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `.TH "KUBESTEP\-DO" "1" "2026-02-02" "kubestep v1" "kubestep"
.SH "NAME"
kubestep\-do \- Do it
.SH "SYNOPSIS"
\fBkubestep do\fR FILE [flags]
.SH "DESCRIPTION"
Do it \- as it\(aqs done \e now. .Not a macro.
.PP
.RS "4"
.nf
one  a line
two  another
.fi
.RE
.SH "OPTIONS"
.TP
\fB\-h\fR, \fB\-\-help\fR
help for do
.TP
\fB\-o\fR, \fB\-\-out\fR \fIPATH\fR
write to the file PATH (default x\-y)
.SH "EXAMPLES"
.RS "4"
.nf
kubestep do \(aqit\(aq \-\-now
.fi
.RE
.SH "SEE ALSO"
.BR "kubestep" "(1)"
.\" The end of the page.
`
	if string(page) != want {
		t.Errorf("the page is\n%s\nwant\n%s", page, want)
	}
	if lint, err := exec.LookPath("mandoc"); err == nil {
		if out, _ := exec.Command(lint, "-T", "lint", "-W", "warning", filepath.Join(folder, "kubestep-do.1")).CombinedOutput(); len(out) > 0 {
			t.Errorf("mandoc: %s", out)
		}
	}
}

// TestScripts writes the script of each shell, and has the shell read it, where it is installed.
func TestScripts(t *testing.T) {
	root := tree("do FILE", func(*cobra.Command) {})
	for _, name := range shell.Shells {
		var script bytes.Buffer
		if err := shell.Script(root, name, &script); err != nil || script.Len() == 0 {
			t.Errorf("%s: %d bytes, %v", name, script.Len(), err)
		}
		if _, err := exec.LookPath(name); err != nil || name == "powershell" {
			continue
		}
		path := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(path, script.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(name, "-n", path).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	if err := shell.Script(root, "csh", &bytes.Buffer{}); err == nil {
		t.Error("no error for an unknown shell")
	}
}
