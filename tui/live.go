package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/remote"
)

// Follow returns the interface for a session that runs.
func Follow(options Options, session *remote.Session) *Model {
	m := New(options)
	m.direct, m.live, m.screen = true, session, screenLoading
	m.loading = loading{session: true, entry: picker.Entry{Name: "session", Title: "taking the steps of the scenario"}}
	m.enable()
	return m
}

// liveReady asks for the next news.
type liveReady struct{}

func (m *Model) awaitNews() tea.Cmd {
	session := m.live
	return func() tea.Msg { return session.Wait() }
}

// updateLive takes what comes from a session.
func (m *Model) updateLive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case remote.News:
		return m.updateNews(msg)
	case remote.Answer:
		m.updateAnswer(msg)
	case liveReady:
		return m.awaitNews()
	}
	return nil
}

// updateNews shows what has come.
func (m *Model) updateNews(news remote.News) tea.Cmd {
	s, busy := m.live, remote.Busy()
	ready, err := s.Take(news)
	if m.viewer == nil {
		m.loading.progress.Records, m.loading.progress.At = s.Records(), s.State.At()
	}
	switch {
	case err != nil && m.viewer == nil:
		m.failure = err
		return tea.Quit
	case ready:
		m.growLive()
	}
	if news.Over() {
		m.status = "the session has ended; this is its recording"
		if err != nil {
			m.status = err.Error()
		}
		return nil
	}
	if pause := busy(); pause > 0 {
		return m.options.Tick(pause, liveReady{})
	}
	return m.awaitNews()
}

// growLive shows the recording as it is now. Who looks at the present keeps doing so.
func (m *Model) growLive() {
	s, at := m.live, m.live.Scenes()
	if m.viewer == nil {
		m.showViewer(viewerOf(at))
		m.status, m.connecting = "", s.State.Writes == 0
		s.Created(at.Rec)
		m.opened = m.viewer.view
	} else {
		v := m.branches.nodes[0].viewer
		v.Moment = v.Renewed(at)
		v.list()
		v.Present, v.Session = !s.State.Ended, true
		if m.branches.shown != 0 {
			return
		}
		if created := s.Created(at.Rec); created >= 0 && s.Follow {
			v.Moment = v.Show(created)
			if first := v.first(); v.view == m.opened && first != m.opened {
				v.open(first)
				m.opened = first
			}
		}
	}
	m.viewer.Present, m.viewer.Session = !s.State.Ended, true
	switch w := s.Wanted; {
	case w != nil && !w.Asked && s.State.At() >= w.Until:
		s.Wanted = nil
		_, _ = m.viewer.moveKey(keyMsg(w.Key), &m.keys)
		s.Follow = m.atPresent()
	case s.Follow:
		m.toPresent()
	}
}

// keyMsg is a key of one letter.
func keyMsg(letter string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(letter)} }

// toPresent shows the last record, at the time that it is in the session.
func (m *Model) toPresent() {
	v := m.viewer
	if last := recording.Latest(v.Visible, v.Rec.Len()); last != 0 && last != v.Seq {
		scroll := v.Scroll
		v.move(last)
		v.Scroll = scroll
	}
	v.Now = max(m.live.State.At(), v.Rec.At(v.Seq))
}

// atPresent reports whether nothing follows the record at the cursor.
func (m *Model) atPresent() bool { return recording.Next(m.viewer.Visible, m.viewer.Seq) == 0 }

// updateAnswer says what came of a request.
func (m *Model) updateAnswer(a remote.Answer) {
	s := m.live
	switch {
	case a.Err != nil:
		m.status = a.Err.Error()
	case a.Said != "":
		// The answer to an earlier request, which says nothing, may arrive later than this one.
		m.status = a.Said
	}
	switch {
	case a.Key == "" && a.Err == nil:
		s.Wanted, s.Follow = nil, true
	case a.Key == "" || s.Wanted == nil:
	case a.Err != nil:
		s.Wanted, s.Follow = nil, true
	default:
		s.Wanted.Asked, s.Wanted.Until = false, a.State.At()
	}
}

// request sends a request to the session.
func request(send func() remote.Answer) tea.Cmd { return func() tea.Msg { return send() } }

// liveKey gives a key to the session: one for how time passes where the cursor is at the present, and one that moves to what has
// not happened yet. ok is false if the key is for the recording.
func (m *Model) liveKey(msg tea.KeyMsg) (cmd tea.Cmd, ok bool) {
	s, k := m.live, &m.keys
	if !m.controls() || m.viewer.Question() != nil {
		return nil, false
	}
	switch present := m.atPresent(); {
	case !present:
	case key.Matches(msg, k.Play):
		s.Follow = true
		return request(s.Toggle()), true
	case key.Matches(msg, k.Faster):
		return request(s.Pace(remote.Faster(s.State.Speed, 1))), true
	case key.Matches(msg, k.Slower):
		return request(s.Pace(remote.Faster(s.State.Speed, -1))), true
	}
	for _, way := range m.viewer.ways(k) {
		if key.Matches(msg, way.next) && recording.Next(way.of, m.viewer.Seq) == 0 && control.IsMarked(way.what) {
			letter := way.next.Keys()[0]
			s.Follow, s.Wanted = false, &remote.Wanted{Key: letter, Asked: true}
			return request(s.Next(letter, way.what)), true
		}
	}
	return nil, false
}

// followed notes, after a key, whether the cursor is at the present.
func (m *Model) followed(before int64) {
	if s := m.live; s != nil && m.viewer != nil && (m.viewer.Seq != before || s.Follow) && s.Wanted == nil {
		s.Follow = m.atPresent()
	}
}

// controls reports whether what is shown is a session that still runs.
func (m *Model) controls() bool {
	return m.live != nil && m.viewer != nil && !m.live.State.Ended && m.branches.shown == 0
}

// aboutSession says what the session is, and how far it is if the cursor is behind.
func (m *Model) aboutSession() string {
	s, v := m.live, m.viewer
	text := "live · " + trace.Count(s.State.Writes, "write") + " "
	if behind := s.State.At() - v.Now; !s.Follow && behind > 0 {
		text = "now " + trace.Seconds(s.State.At()) + " (G) · " + text
	}
	return text
}

// connection says how clients connect.
func (m *Model) connection() []string {
	t := m.theme
	return []string{
		t.Key.Render(m.live.About.Export()), t.Key.Render("kubectl get pods -w"), "",
		t.Dim.Render("Each write becomes a step of the scenario. space pauses time, n and s move it, : takes commands."),
	}
}

// leaves reports whether the interface may end: not while a session of its own has writes that nobody keeps.
func (m *Model) leaves() bool {
	s := m.live
	if s == nil || m.warned || s.Unsaved() == 0 {
		return true
	}
	m.warned, m.status = true, "q again loses "+trace.Count(s.Unsaved(), "write")+"; :save FILE makes a scenario of them"
	return false
}
