package plugin

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestTheNameOfTheProgram(t *testing.T) {
	for name, want := range map[string]bool{
		"kubestep": false, "/usr/bin/kubestep": false, "": false, "my-kubectl-step": false,
		"kubectl-step": true, "/home/me/.krew/bin/kubectl-step": true, "kubectl-step.exe": true, "kubectl_complete-step": true,
	} {
		if got := Started(name) != nil; got != want {
			t.Errorf("%q is a plugin: %t, want %t", name, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	for name, want := range map[string]string{
		"kubestep": "run cre", "kubectl-step": "run cre", "kubectl_complete-step": "__complete run cre",
	} {
		if got := Started(name).Arguments([]string{"run", "cre"}); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	root := &cobra.Command{Use: "kubestep", Long: "kubestep runs controllers: kubestep run NAME."}
	root.AddCommand(&cobra.Command{Use: "run NAME", Example: "  kubestep run create\n  kubestep running", Run: func(*cobra.Command, []string) {}})
	p := Started("kubectl-step")
	p.Rename(root)
	for got, want := range map[string]string{
		root.Long:                                  "kubestep runs controllers: kubectl step run NAME.",
		root.Commands()[0].Example:                 "  kubectl step run create\n  kubestep running",
		root.Commands()[0].UseLine():               "kubectl step run NAME",
		p.Text("kubestep failed; kubestep --help"): "kubestep failed; kubectl step --help",
		p.Text("bin/kubestep run"):                 "bin/kubestep run",
		(*Plugin)(nil).Text("kubestep run"):        "kubestep run",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWriter(t *testing.T) {
	root := &cobra.Command{Use: "kubestep"}
	root.AddCommand(&cobra.Command{Use: "list"})
	p := Started("kubectl-step")
	p.Rename(root)
	var out strings.Builder
	text := "Try: kubestep list\n"
	if n, err := p.Writer(&out).Write([]byte(text)); n != len(text) || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if out.String() != "Try: kubectl step list\n" {
		t.Error(out.String())
	}
}
