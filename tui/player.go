package tui

import (
	"strconv"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/pane"
)

// player moves the cursor by itself. Virtual time passes at a multiple of real time.
type player struct {
	playing bool
	// generation tells the ticks of this play from those of earlier ones, which may still arrive.
	generation int
	speed      int
	skipIdle   bool
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

// key paces the player, and says at which pace it plays now.
func (p *player) key(msg tea.KeyMsg, k *KeyMap) (status string, ok bool) {
	switch {
	case key.Matches(msg, k.Faster):
		p.speed = min(p.speed+1, len(speeds)-1)
	case key.Matches(msg, k.Slower):
		p.speed = max(p.speed-1, 0)
	case key.Matches(msg, k.Idle):
		if p.skipIdle = !p.skipIdle; p.skipIdle {
			return "skips idle time", true
		}
		return "plays idle time as well", true
	default:
		return "", false
	}
	return "plays at " + p.speedText() + " of virtual time", true
}

// play starts or continues; status says why it does not.
func (v *viewer) play() (status string) {
	if recording.Next(v.Visible, v.Seq) == 0 {
		return "this is the end of the recording: home goes to its start"
	}
	v.player.playing = true
	v.player.generation++
	v.Now = v.Rec.At(v.Seq)
	return ""
}

func (v *viewer) pause() {
	v.player.playing = false
	v.player.generation++
}

// advance lets virtual time pass for one tick. status says why the player pauses.
func (v *viewer) advance() (status string) {
	now := v.Now + v.player.virtual(tickEvery)
	for {
		next := recording.Next(v.Visible, v.Seq)
		switch {
		case next == 0:
			v.pause()
			return "the end of the recording"
		case v.Rec.At(next) > now:
			if wait := v.Rec.At(next) - now; v.player.skipIdle && wait > v.player.virtual(longWait) {
				now = v.Rec.At(next) - v.player.virtual(restWait)
			}
			v.Now = now
			return ""
		}
		v.move(next)
		if pane.Missing(pane.Card{}, v.Moment) == "" {
			// What the scenario says wants to be read before what it is about goes by.
			v.pause()
			if v.Rec.Record(next).Ask == nil {
				return "space continues"
			}
			return ""
		}
	}
}

func (m *Model) togglePlay() tea.Cmd {
	if m.viewer.player.playing {
		m.viewer.pause()
		return nil
	}
	return m.play()
}

// play lets the player tick.
func (m *Model) play() tea.Cmd {
	if status := m.viewer.play(); status != "" {
		m.status = status
	}
	return m.tick()
}

func (m *Model) tick() tea.Cmd {
	if !m.viewer.player.playing {
		return nil
	}
	return m.options.Tick(tickEvery, tickMsg{m.viewer.player.generation})
}

// updateTick lets virtual time pass.
func (m *Model) updateTick(msg tickMsg) tea.Cmd {
	v := m.viewer
	if v == nil || m.screen != screenViewer || !v.player.playing || msg.generation != v.player.generation {
		return nil
	}
	if status := v.advance(); status != "" {
		m.status = status
	}
	return m.tick()
}
