package mutant_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/mutant"
)

// program compiles the program with all mutants.
func program(t *testing.T) string {
	t.Helper()
	flags, err := mutant.Flags("go", t.TempDir(), os.Getenv("GOFLAGS"), mutant.All())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mutants.test")
	compile := exec.Command("go", "test", "-c", "-vet=off", "-o", file, ".")
	compile.Env = append(os.Environ(), "GOFLAGS="+flags)
	start := time.Now()
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("compiled in %s, %s of CPU", time.Since(start).Round(time.Second), cpu(compile))
	return file
}

func cpu(cmd *exec.Cmd) time.Duration {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Second / 10)
}

// patience is how long a run of a scenario may take. Some take a second.
const patience = time.Minute

// bench runs scenarios with mutants.
type bench struct {
	program, folder string
	spent           time.Duration
	runs            int
	// sound are what noticed something without a mutant, by file.
	sound map[string]notices
	// without are the scenarios that are left out for that reason, each with what notices something.
	without []string
}

// run runs the bare form of a scenario with a mutant; an empty name means none.
func (b *bench) run(t *testing.T, file, name string) notices {
	t.Helper()
	copied := filepath.Join(b.folder, strings.NewReplacer(root+"/", "", "/", "+").Replace(file))
	if _, err := os.Stat(copied); err != nil {
		if err := os.WriteFile(copied, bare(t, file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.program)
	cmd.Env = append(os.Environ(), "MUTANT_TEST="+copied, mutant.Variable+"="+name, "GOMAXPROCS=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if cmd.ProcessState != nil {
		b.spent += cpu(cmd)
	}
	b.runs++
	if err != nil {
		text := lastLine(said.String())
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			text = fmt.Sprintf("the run takes longer than %s", patience)
		}
		return notices{{Kind: failure, Text: text}}
	}
	var found notices
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
	return found
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// try runs the scenarios of a mutant, until an oracle notices it.
func (b *bench) try(t *testing.T, m mutant.Mutant) row {
	r := row{mutant: m}
	for _, file := range filesOf(t, &m) {
		if _, known := b.sound[file]; !known {
			b.sound[file] = b.run(t, file, "")
			if found := b.sound[file]; len(found) > 0 {
				t.Logf("%s is left out: without a mutant, %v", file, found)
				b.without = append(b.without, fmt.Sprintf("%s (%s)", nameOf(file), found[0].String()))
			}
		}
		if len(b.sound[file]) > 0 {
			continue
		}
		r.of++
		found := b.run(t, file, m.Name)
		if len(found) == 0 {
			continue
		}
		if n := found.byOracle(); n != nil {
			r.by, r.in, r.text = n.String(), nameOf(file), n.Text
			return r
		}
		if r.step == "" {
			r.step, r.text = fmt.Sprintf("%s in %s", found[0].Kind, nameOf(file)), found[0].Text
		}
	}
	return r
}
