package tui

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/branch"
	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/pane"
	"github.com/kubestep/kubestep/tui/picker"
)

// node is a run in the tree of branches. The first is the scenario's own.
type node struct {
	entry  picker.Entry
	viewer *viewer
	// parent is the index of the run that it branched off from, -1 for the first; step is what it does at a time.
	parent int
	step   string
	at     time.Duration
	// own and parents are the first records in which the two runs differ; 0 where one of them ends before.
	own, parents int64
}

// branches is the tree of runs.
type branches struct {
	nodes []*node
	// shown is the index of the run that is shown, and marked of the selected one.
	shown, marked int
}

// current is the run that is shown.
func (b *branches) current() *node { return b.nodes[b.shown] }

// runs are the runs as panes see them.
func (b *branches) runs() []pane.Run {
	var runs []pane.Run
	for _, n := range b.nodes {
		runs = append(runs, pane.Run{
			Rec: n.viewer.Rec, History: n.viewer.History, Film: n.viewer.Film, Parent: n.parent, Step: n.step, At: n.at,
		})
	}
	return runs
}

// fork is a branch that is being run.
type fork struct {
	parent int
	step   string
	at     time.Duration
	// against is the recording of the parent.
	against *recording.Recording
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
	parents, own = branch.Divergence(f.against, rec)
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
func (m *Model) branchOff(step format.Step) tea.Cmd {
	v, from := m.viewer, m.branches.current()
	if from.entry.Scenario == nil {
		m.status = "a trace cannot branch: open its scenario"
		return nil
	}
	if m.loading.behind {
		m.status = "the trace is still being read: a branch needs all of it"
		return nil
	}
	at := max(v.Now, 0)
	branched, err := branch.Add(from.entry.Scenario, v.Rec, at, step)
	if err != nil {
		m.status = err.Error()
		return nil
	}
	branched.Spec.Seed = v.Rec.Seed
	source, err := branched.Encode()
	if err != nil {
		m.status = err.Error()
		return nil
	}
	entry := from.entry
	entry.Scenario, entry.Source = branched, source
	text := step.Describe()
	entry.Title = "at " + trace.Seconds(at) + ": " + text
	v.pause()
	m.loading = newLoading(entry)
	m.loading.fork = &fork{m.branches.shown, text, at, v.Rec}
	m.screen = screenLoading
	return m.loading.start(m.options.Open)
}

// grow adds a run to the tree and shows it. What differs from its parent comes first.
func (m *Model) grow(made loadedMsg) {
	f, own, parents := m.loading.fork, made.own, made.parents
	v := newViewer(made.rec, made.history)
	m.branches.nodes = append(m.branches.nodes, &node{
		entry: m.loading.entry, viewer: v, parent: f.parent, step: f.step, at: f.at, own: own, parents: parents,
	})
	v.Answers = m.viewer.Answers
	m.switchTo(len(m.branches.nodes) - 1)
	if own > 0 {
		v.move(own)
		v.Diverged = own
	}
	m.status = "the branch starts here: " + comparison.key + " compares both"
	if own == 0 && parents == 0 {
		m.status = "the branch does not differ from its parent"
	}
}

// switchTo shows another run of the tree, at the same time.
func (m *Model) switchTo(i int) {
	old := m.viewer
	m.branches.shown, m.branches.marked = i, i
	m.viewer = m.branches.current().viewer
	m.screen = screenViewer
	if old != m.viewer {
		m.viewer.view, m.viewer.tab, m.viewer.Live = old.view, 0, old.Live
		m.viewer.player.speed, m.viewer.player.skipIdle = old.player.speed, old.player.skipIdle
		m.viewer.seek(old.Now)
	}
}

// toDivergence goes to the first record that the parent does not have.
func (m *Model) toDivergence() {
	n := m.branches.current()
	if n.own == 0 {
		m.status = "this run has no parent: : starts a branch"
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
	n := m.branches.current()
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

// updateSaved shows whether the file was written.
func (m *Model) updateSaved(msg savedMsg) {
	m.status = fmt.Sprintf("saved: kubestep run %s runs this branch", msg.file)
	if errors.Is(msg.err, os.ErrExist) {
		m.status = msg.file + " exists: save under another name"
	} else if msg.err != nil {
		m.status = msg.err.Error()
	}
}
