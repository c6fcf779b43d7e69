package command

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/library"
)

// How many mutants the tests make. More are made with, for example:
//
//	go test ./tui/command -run Mutants -mutants 5000 -mutant-runs 300
var (
	mutants    = flag.Int("mutants", 150, "how many mutated scenarios to validate")
	mutantRuns = flag.Int("mutant-runs", 3, "how many mutated scenarios to run")
)

// TestMutantsValidate changes shipped scenarios at random. Each mutant is either a scenario or has errors with words for
// people, within seconds; nothing panics.
func TestMutantsValidate(t *testing.T) {
	texts := shippedTexts(t)
	valid := 0
	for seed := range *mutants {
		text := mutant(texts, uint64(seed))
		started := time.Now()
		_, _, err := read(child.Job{File: "mutant.yaml", Text: string(text)})
		if took := time.Since(started); took > 20*time.Second {
			t.Errorf("seed %d: took %v", seed, took)
		}
		var list source.ErrorList
		var one *source.Error
		switch {
		case err == nil:
			valid++
		case !errors.As(err, &list) && !errors.As(err, &one):
			t.Errorf("seed %d: not an error of a scenario: %v", seed, err)
		case strings.Contains(err.Error(), "Go struct") || strings.Contains(err.Error(), "cannot decode") || strings.Contains(err.Error(), "cannot unmarshal"):
			t.Errorf("seed %d: an error in the words of a library: %v", seed, err)
		}
	}
	t.Logf("%d mutants, of which %d are valid", *mutants, valid)
}

// TestMutantsRun runs mutants in processes of their own. Each ends with a verdict, an error or a limit, and none is an
// internal fault.
func TestMutantsRun(t *testing.T) {
	texts := shippedTexts(t)
	codes := map[int]int{}
	for seed, made := uint64(0), 0; made < *mutantRuns; seed++ {
		text := mutant(texts, seed)
		if _, _, err := read(child.Job{File: "mutant.yaml", Text: string(text)}); err != nil {
			continue
		}
		made++
		file := filepath.Join(t.TempDir(), "mutant.yaml")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := kubestep(t, "run", file, "-o", "summary", "--timeout", "20s", "--max-memory", "1Gi")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		started := time.Now()
		_ = cmd.Run()
		code := cmd.ProcessState.ExitCode()
		codes[code]++
		if !slices.Contains([]int{cli.ExitOK, cli.ExitFailed, cli.ExitUsage, cli.ExitLimit}, code) || time.Since(started) > time.Minute {
			t.Errorf("seed %d: exit code %d after %v: %.2000s", seed, code, time.Since(started), out.String())
		}
	}
	t.Logf("exit codes: %v", codes)
}

// shippedTexts are the scenarios that come with kubestep.
func shippedTexts(t *testing.T) (texts [][]byte) {
	t.Helper()
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(scenarios.Files, file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// mutant changes a scenario in one to three places.
func mutant(texts [][]byte, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	lines := strings.SplitAfter(string(texts[random.IntN(len(texts))]), "\n")
	for range 1 + random.IntN(3) {
		at := random.IntN(len(lines))
		lines = mutations[random.IntN(len(mutations))](random, lines, at)
		if len(lines) == 0 {
			return nil
		}
	}
	return []byte(strings.Join(lines, ""))
}

var (
	number = regexp.MustCompile(`\b\d+\b`)
	value  = regexp.MustCompile(`: [^{\[|].*`)
	word   = regexp.MustCompile(`[a-z]{3,}`)
	// hostile are values that a field may not expect.
	hostile = []string{
		"null", "~", "[]", "{}", "-1", "0", "1e308", "0x7fffffffffffffff", "99999999999999999999", "true", `""`, "'\u202e'", `"\e[31m"`,
		"*none", "&a [*a]", "!!binary x", "2001-01-01", ".nan", "100%", "-5s", "87600h", "\t", "|", "a: b: c", strings.Repeat("x", 5000),
		strings.Repeat("[", 300), "deployment/", "'*'", "1Gi", "now", "web && !", "size(", "{{.}}",
	}
)

// mutations change the lines of a scenario, at one of them.
var mutations = []func(r *rand.Rand, lines []string, at int) []string{
	func(_ *rand.Rand, lines []string, at int) []string { return slices.Delete(lines, at, at+1) },
	func(_ *rand.Rand, lines []string, at int) []string { return slices.Insert(lines, at, lines[at]) },
	func(_ *rand.Rand, lines []string, at int) []string { return lines[:at] },
	func(r *rand.Rand, lines []string, at int) []string {
		other := r.IntN(len(lines))
		lines[at], lines[other] = lines[other], lines[at]
		return lines
	},
	func(_ *rand.Rand, lines []string, at int) []string { return replaceLine(lines, at, "  "+lines[at]) },
	func(_ *rand.Rand, lines []string, at int) []string {
		return replaceLine(lines, at, strings.TrimPrefix(lines[at], "  "))
	},
	func(_ *rand.Rand, lines []string, at int) []string {
		return replaceLine(lines, at, strings.Replace(lines[at], "  ", "\t", 1))
	},
	func(_ *rand.Rand, lines []string, at int) []string {
		return replaceLine(lines, at, strings.Replace(lines[at], "- ", "  ", 1))
	},
	func(r *rand.Rand, lines []string, at int) []string {
		return replaceLine(lines, at, value.ReplaceAllString(lines[at], ": "+strings.ReplaceAll(hostile[r.IntN(len(hostile))], "$", "")))
	},
	func(r *rand.Rand, lines []string, at int) []string {
		numbers := []string{"0", "-1", "2147483648", "1e9", "1000000", "3"}
		return replaceLine(lines, at, number.ReplaceAllString(lines[at], numbers[r.IntN(len(numbers))]))
	},
	func(r *rand.Rand, lines []string, at int) []string {
		return replaceLine(lines, at, word.ReplaceAllStringFunc(lines[at], func(w string) string {
			i := r.IntN(len(w))
			return w[:i] + string(w[len(w)-1-i]) + w[i+1:]
		}))
	},
	func(r *rand.Rand, lines []string, at int) []string {
		text := []byte(lines[at])
		if len(text) > 0 {
			text[r.IntN(len(text))] = byte(r.IntN(256))
		}
		return replaceLine(lines, at, string(text))
	},
	func(r *rand.Rand, lines []string, at int) []string {
		from := r.IntN(len(lines))
		block := slices.Clone(lines[from:min(from+1+r.IntN(10), len(lines))])
		return slices.Insert(lines, at, block...)
	},
}

func replaceLine(lines []string, at int, line string) []string {
	lines[at] = line
	return lines
}
