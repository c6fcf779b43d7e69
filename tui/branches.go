package tui

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/remote"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// node is a run in the tree of branches. The first is the scenario's own.
type node struct {
	entry  picker.Entry
	viewer *viewer
	// parent is the index of the run that it branched off from, -1 for the first; step is what it does at a time.
	parent int
	step   string
	at     time.Duration
	// varied are the numbers in which it differs from its start on, and from the scenario itself; nil for a branch that adds a step.
	varied branch.Varied
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

// partsAt is the time until which a branch of the run that is shown is the same as the first run.
func (b *branches) partsAt(f *fork) time.Duration {
	switch {
	case f.varied != nil, f.fresh:
		return 0
	case b.shown == 0:
		return f.at
	}
	return min(f.at, b.current().entry.Until)
}

// runs are the runs as panes see them.
func (b *branches) runs() []pane.Run {
	var runs []pane.Run
	for _, n := range b.nodes {
		runs = append(runs, pane.Run{
			Rec: n.viewer.Rec, Scenes: n.viewer.Scenes, Parent: n.parent, Step: n.step, At: n.at,
			Varied: n.varied != nil, Session: n.viewer.Session, Diverged: n.own,
		})
	}
	return runs
}

// fork is a branch that is being run.
type fork struct {
	parent int
	step   string
	at     time.Duration
	varied branch.Varied
	// fresh means that it has another past in the file than its parent: it does not ask the question that is open when it begins.
	fresh bool
	// against is the recording of the parent.
	against *recording.Recording
	// ofSession means that it is that of a session, which is no run.
	ofSession bool
}

// parts finds where a branch and its parent part. A step that the API server refuses ends a run, and there is
// nothing to see in it.
func (f *fork) parts(v *viewer) (own, parents int64, err error) {
	if f == nil || v == nil {
		return 0, 0, nil
	}
	rec := v.Rec
	if rec.Error != "" {
		// The place is in a file that nobody has written.
		return 0, 0, errors.New(f.step + ": " + cmp.Or(rec.Problem, rec.Error))
	}
	parents, own = branch.Divergence(f.against, rec)
	if own > 0 && f.ofSession && rec.At(own) < f.at {
		return 0, 0, opener.DiffersError(rec.At(own))
	}
	return own, parents, nil
}

// command takes a line that was typed behind a colon.
func (m *Model) command(line string) tea.Cmd {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if name == look {
		if !m.lookInto(strings.TrimSpace(rest)) {
			m.status = "look needs a thing that is selected on the stage, and one of its views: loop, queues, objects"
		}
		return nil
	}
	switch {
	case name == "":
		return nil
	case m.steers(), m.looksBack() && remote.IsOfSession(line):
		return request(m.live.Run(line))
	case m.looksBack():
		return m.past(line)
	case name == "save":
		return m.save(strings.TrimSpace(rest))
	}
	return m.branchCommand(line)
}

// branchCommand makes the branch that a line asks for.
func (m *Model) branchCommand(line string) tea.Cmd {
	if v, ok, err := branch.ParseVariation(line); ok {
		if err != nil {
			m.status = err.Error()
			return nil
		}
		return m.vary(v)
	}
	if m.branches.current().entry.Scenario == nil {
		m.status = noBranch
		return nil
	}
	added, err := m.touched().Parse(line)
	if err != nil {
		m.status = err.Error()
		return nil
	}
	return m.branchOff(added)
}

// branchOff runs the scenario again, with more steps. From its start, unless the run has keyframes.
func (m *Model) branchOff(added touch.Added) tea.Cmd {
	v, from := m.viewer, m.branches.current()
	if v.Rec.Whole != nil || m.loading.behind {
		cmd := m.more(recording.All, nil)
		m.status = stillReading
		return cmd
	}
	branched, err := branch.Add(from.entry.Scenario, v.Rec, added.At, added.Steps...)
	if err != nil {
		m.status = err.Error()
		return nil
	}
	return m.run(branched, "at "+trace.Seconds(added.At)+": "+added.Text, &fork{
		parent: m.branches.shown, step: added.Text, at: added.At, against: v.Rec,
		fresh:     branch.Open(from.entry.Scenario, v.Rec, added.At) >= 0,
		ofSession: from.entry.Base != nil && m.branches.shown == 0,
	})
}

// Why there is no branch.
const (
	noBranch     = "a trace cannot branch: open its scenario"
	stillReading = "the trace is still being read: a branch needs all of it"
)

// vary runs the scenario with another number of the workload that is shown.
func (m *Model) vary(by branch.Variation) tea.Cmd {
	v, from, workloads := m.viewer, m.branches.current(), m.viewer.Rec.Workloads()
	switch {
	case from.entry.Scenario == nil:
		m.status = noBranch
		return nil
	case v.Rec.Whole != nil || m.loading.behind:
		cmd := m.more(recording.All, nil)
		m.status = stillReading
		return cmd
	case v.Workload >= len(workloads):
		m.status = "this recording has no workload"
		return nil
	}
	varied, err := by.Of(from.entry.Scenario, workloads[v.Workload].Object)
	if err != nil {
		m.status = err.Error()
		return nil
	}
	// The numbers of the run that it leaves are in it, too.
	all := from.varied.With(by)
	return m.run(varied, "with "+all.String(), &fork{parent: m.branches.shown, step: all.String(), varied: all, against: v.Rec})
}

// run runs a branch of the run that is shown.
func (m *Model) run(branched *format.Scenario, title string, f *fork) tea.Cmd {
	v := m.viewer
	branched.Spec.Seed = v.Rec.Seed
	source, err := branched.Encode()
	if err != nil {
		m.status = err.Error()
		return nil
	}
	entry := m.branches.current().entry
	entry.Scenario, entry.Source, entry.Title = branched, source, title
	entry.Past, entry.Until = m.branches.nodes[0].viewer.Rec, m.branches.partsAt(f)
	v.pause()
	m.loading = newLoading(&m.options, entry)
	m.loading.fork = f
	m.screen = screenLoading
	return m.loading.start(m.options.Open)
}

// grow adds a run to the tree and shows it. What differs from its parent comes first.
func (m *Model) grow(made loadedMsg) {
	f, own, parents := m.loading.fork, made.own, made.parents
	v := made.viewer
	m.deferLarge(v)
	m.branches.nodes = append(m.branches.nodes, &node{
		entry: m.loading.entry, viewer: v, parent: f.parent, step: f.step, at: f.at, varied: f.varied, own: own, parents: parents,
	})
	v.Answers = m.viewer.Answers
	m.switchTo(len(m.branches.nodes) - 1)
	v.Diverged = own
	switch {
	case f.varied != nil:
		// What a number changes is seen best side by side.
		v.open(views.Comparison)
		m.status = "both runs, at the same time"
		return
	case own > 0:
		v.move(own)
	}
	m.status = "the branch starts here: " + views.Comparison.Key + " compares both"
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
		m.viewer.player.speed, m.viewer.player.skipIdle, m.viewer.player.still = old.player.speed, old.player.skipIdle, old.player.still
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
		// What is there already stays. The branch of a session has the values of its Secrets.
		return savedMsg{file, output.WriteFile(file, source, output.Rights{Private: true})}
	}
}

// updateSaved shows whether the file was written.
func (m *Model) updateSaved(msg savedMsg) {
	m.status = fmt.Sprintf("saved: kubestep run %s runs this branch", msg.file)
	var exists *output.ExistsError
	if errors.As(msg.err, &exists) {
		m.status = exists.Error() + ": save under another name"
	} else if msg.err != nil {
		m.status = msg.err.Error()
	}
}
