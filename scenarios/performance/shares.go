package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/kubestep/kubestep/scenarios/explore/child"
)

const sharesPart = "shares"

// owner is whose code a sample of the processor is charged to.
type owner int

// The owners, in the order of the columns of the page.
const (
	kubernetes owner = iota
	kubestep
	libraries
	collector
	others
	owners
)

// sharesHead is the head of the table, with a column for each owner.
var sharesHead = []string{"what runs", "Kubernetes", "kubestep", "other libraries", "garbage collector", "rest of Go's runtime"}

// ownerOf charges a sample: its functions are those of a stack, the innermost first. Go's own packages work for who calls them, so the
// time that encoding/json takes for the API server is that of Kubernetes. What nobody calls is the runtime's: switches between goroutines,
// timers, and the workers of the garbage collector.
func ownerOf(functions []string) owner {
	for _, function := range functions {
		switch {
		case strings.HasPrefix(function, "runtime.gcBgMarkWorker"):
			return collector
		case strings.HasPrefix(function, "k8s.io/"), strings.HasPrefix(function, "sigs.k8s.io/"):
			return kubernetes
		case strings.HasPrefix(function, "github.com/kubestep/kubestep/"):
			return kubestep
		case isOfModule(function):
			return libraries
		}
	}
	return others
}

// isOfModule reports whether a function is that of a module: its path begins with a domain, as that of
// github.com/google/cel-go/cel.(*prog).Eval does, and that of encoding/json.Marshal does not.
func isOfModule(function string) bool {
	domain, _, found := strings.Cut(function, "/")
	return found && strings.Contains(domain, ".")
}

// shares counts samples by owner.
type shares [owners]int64

// add adds the samples of a CPU profile.
func (s *shares) add(p *profile.Profile) {
	for _, sample := range p.Sample {
		var functions []string
		for _, location := range sample.Location {
			for _, line := range location.Line {
				functions = append(functions, line.Function.Name)
			}
		}
		s[ownerOf(functions)] += sample.Value[0]
	}
}

// row is a row of the table, in percent.
func (s *shares) row(name string) []string {
	all := int64(0)
	for _, n := range s {
		all += n
	}
	row := []string{name}
	for _, n := range s {
		row = append(row, fmt.Sprintf("%.0f %%", 100*float64(n)/float64(max(all, 1))))
	}
	return row
}

// sharesOf profiles a command of kubestep, with all processes that it starts.
func (m *meter) sharesOf(args ...string) (*shares, error) {
	dir, err := os.MkdirTemp(m.dir, "profiles-")
	if err != nil {
		return nil, err
	}
	if err := child.Finish(m.command(false, append(args, "--profile", dir)...), seedsFailed); err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.pprof"))
	if err != nil {
		return nil, err
	}
	s := &shares{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		p, err := profile.ParseData(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		s.add(p)
	}
	return s, nil
}

// measureShares profiles a large rollout and the sweeps.
func (m *meter) measureShares(progress io.Writer) (string, error) {
	const replicas = 1000
	file := filepath.Join(m.dir, "rollout.yaml")
	if err := os.WriteFile(file, []byte(rollout(replicas, byDefault)), 0o644); err != nil {
		return "", err
	}
	type measured struct {
		name string
		args []string
	}
	all := []measured{{fmt.Sprintf("%d replicas", replicas), []string{"run", "-o", "json", file}}}
	for _, s := range sweeps() {
		all = append(all, measured{"sweep of " + s.name, append([]string{"explore", "--workers", "1"}, s.args...)})
	}
	var rows [][]string
	for _, of := range all {
		fmt.Fprintf(progress, "whose code %s is: ", of.name)
		s, err := m.sharesOf(of.args...)
		if err != nil {
			return "", err
		}
		row := s.row(of.name)
		fmt.Fprintln(progress, strings.Join(row[1:], ", "))
		rows = append(rows, row)
	}
	var out strings.Builder
	table(&out, sharesHead, rows)
	return out.String(), nil
}
