package tui

import (
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
)

// player moves the cursor by itself. Virtual time passes at a multiple of real time.
type player struct {
	playing bool
	// generation tells the ticks of this play from those of earlier ones, which may still arrive.
	generation int
	speed      int
	skipIdle   bool
	// head is the virtual time that has been played.
	head time.Duration
}

// speeds are the multiples of real time.
var speeds = []float64{0.25, 0.5, 1, 2, 4, 8, 16, 32, 64}

const normalSpeed = 2

// tickEvery is the real time between two steps of a play.
const tickEvery = 50 * time.Millisecond

// Without skipping, a wait is played as it is. With it, no wait takes longer than this in real time, of
// which the last part is played, so that the next record does not come as a surprise.
const (
	longWait = time.Second
	restWait = 400 * time.Millisecond
)

type tickMsg struct{ generation int }

func newPlayer() player { return player{speed: normalSpeed, skipIdle: true} }

func (p *player) factor() float64 { return speeds[p.speed] }

// speedText is the speed as it is shown.
func (p *player) speedText() string { return "x" + strconv.FormatFloat(p.factor(), 'f', -1, 64) }

// virtual is how much virtual time passes in a length of real time.
func (p *player) virtual(real time.Duration) time.Duration {
	return time.Duration(float64(real) * p.factor())
}

// play starts or goes on.
func (m *Model) play() tea.Cmd {
	p := &m.viewer.player
	if recording.Next(m.viewer.visible, m.viewer.cursor) == 0 {
		m.status = "this is the end of the recording: home goes to its start"
		return nil
	}
	p.playing = true
	p.generation++
	p.head = m.viewer.rec.At(m.viewer.cursor)
	return m.tick()
}

func (m *Model) pause() {
	m.viewer.player.playing = false
	m.viewer.player.generation++
}

func (m *Model) tick() tea.Cmd {
	return m.options.Tick(tickEvery, tickMsg{m.viewer.player.generation})
}

// updateTick lets virtual time pass.
func (m *Model) updateTick(msg tickMsg) tea.Cmd {
	if m.viewer == nil || m.screen != screenViewer {
		return nil
	}
	v := m.viewer
	if !v.player.playing || msg.generation != v.player.generation {
		return nil
	}
	head := v.player.head + v.player.virtual(tickEvery)
	for {
		next := recording.Next(v.visible, v.cursor)
		switch {
		case next == 0:
			m.pause()
			m.status = "the end of the recording"
			return nil
		case v.rec.At(next) > head:
			if wait := v.rec.At(next) - head; v.player.skipIdle && wait > v.player.virtual(longWait) {
				head = v.rec.At(next) - v.player.virtual(restWait)
			}
			v.setNow(head)
			return m.tick()
		}
		v.move(next)
		if record := v.rec.Record(next); record.Note != nil || record.Ask != nil || record.Answer != nil {
			// What the scenario says wants to be read before what it is about goes by.
			m.pause()
			if record.Ask == nil {
				m.status = "space goes on"
			}
			return nil
		}
	}
}
