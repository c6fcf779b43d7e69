package tui

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/scenarios/branch"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// node is a run in the tree of branches. The first is the scenario's own.
type node struct {
	entry  Entry
	viewer *viewer
	// parent is the index of the run that it branched off from, -1 for the first; step is what it does at a time.
	parent int
	step   string
	at     time.Duration
	// own and parents are the first records in which the two runs differ; 0 where one of them ends before.
	own, parents int64
}

// fork is a branch that is being run.
type fork struct {
	parent int
	step   string
	at     time.Duration
	// against are the parent's records.
	against []*trace.Record
}

// parts finds where a branch and its parent part. A step that the API server refuses ends a run, and there is
// nothing to see in it.
func (f *fork) parts(rec *recording.Recording) (own, parents int64, err error) {
	if f == nil || rec == nil {
		return 0, 0, nil
	}
	if rec.Error != "" {
		_, text, _ := strings.Cut(rec.Error, "spec.steps[")
		_, text, _ = strings.Cut(text, ": ")
		return 0, 0, fmt.Errorf("%s: %s", f.step, cmp.Or(text, rec.Error))
	}
	parents, own = branch.Divergence(f.against, rec.Records)
	return own, parents, nil
}

// command takes a line that was typed behind a colon.
func (m *Model) command(line string) tea.Cmd {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case name == "":
		return nil
	case name == "save":
		return m.save(strings.TrimSpace(rest))
	}
	step, err := branch.Parse(line)
	if err != nil {
		m.status = err.Error()
		return nil
	}
	return m.branchOff(step)
}

// branchOff runs the scenario again from its start, with one step more at the time of the cursor.
func (m *Model) branchOff(step scenarios.Step) tea.Cmd {
	v, from := m.viewer, m.branches[m.current]
	if from.entry.Scenario == nil {
		m.status = "a trace cannot branch: open the scenario that it is of"
		return nil
	}
	at := max(v.player.head, 0)
	branched, err := branch.Add(from.entry.Scenario, v.rec.Records, at, step)
	if err != nil {
		m.status = err.Error()
		return nil
	}
	branched.Spec.Seed = v.rec.Seed
	source, err := branched.Encode()
	if err != nil {
		m.status = err.Error()
		return nil
	}
	entry := from.entry
	entry.Scenario, entry.Source = branched, source
	text := scenarios.DescribeStep(step)
	entry.Title = "at " + trace.Seconds(at) + ": " + text
	m.pause()
	m.loading = newLoading(entry)
	m.loading.fork = &fork{m.current, text, at, v.rec.Records}
	m.screen = screenLoading
	return m.loading.start(m.options.Open)
}

// grow adds a run to the tree and shows it. What differs from its parent comes first.
func (m *Model) grow(rec *recording.Recording, own, parents int64) {
	f := m.loading.fork
	v := newViewer(rec, m.theme)
	n := &node{entry: m.loading.entry, viewer: v, parent: f.parent, step: f.step, at: f.at, own: own, parents: parents}
	m.branches = append(m.branches, n)
	old := m.viewer
	m.switchTo(len(m.branches) - 1)
	v.view, v.predictions = old.view, old.predictions
	if own > 0 {
		v.move(own)
		v.parted(own)
	}
	m.status = "it branched off here: 6 compares the two"
	if own == 0 && parents == 0 {
		m.status = "a branch that does not differ from its parent at all"
	}
}

// switchTo shows another run of the tree, at the same time.
func (m *Model) switchTo(i int) {
	old := m.viewer
	m.current, m.selectedBranch = i, i
	m.viewer = m.branches[i].viewer
	m.screen = screenViewer
	if old != nil && old != m.viewer {
		m.viewer.view, m.viewer.panel = old.view, 0
		m.viewer.seek(old.player.head)
	}
}

// parted marks where the branch leaves its parent.
func (v *viewer) parted(seq int64) {
	v.scrub.SetParted(seq)
	v.trace.SetParted(seq)
}

// toDivergence goes to the first record that the parent does not have.
func (m *Model) toDivergence() {
	n := m.branches[m.current]
	if n.own == 0 {
		m.status = "this run has no parent that it differs from: : begins a branch"
		return
	}
	m.viewer.jump(n.own)
}

type savedMsg struct {
	file string
	err  error
}

// save writes the scenario of the run that is shown.
func (m *Model) save(file string) tea.Cmd {
	n := m.branches[m.current]
	switch {
	case file == "":
		m.status = "save needs a file: save branch.yaml"
		return nil
	case n.entry.Scenario == nil:
		m.status = "a trace has no scenario to save"
		return nil
	}
	source := n.entry.Source
	if source == nil {
		var err error
		if source, err = n.entry.Scenario.Encode(); err != nil {
			m.status = err.Error()
			return nil
		}
	}
	return func() tea.Msg {
		// What is there already stays.
		out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			_, err = out.Write(source)
			err = errors.Join(err, out.Close())
		}
		return savedMsg{file, err}
	}
}

// updateSaved says what became of the file.
func (m *Model) updateSaved(msg savedMsg) {
	m.status = fmt.Sprintf("saved: kubestep run %s plays this branch", msg.file)
	if errors.Is(msg.err, os.ErrExist) {
		m.status = msg.file + " exists: save under another name"
	} else if msg.err != nil {
		m.status = msg.err.Error()
	}
}
