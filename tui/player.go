package tui

import (
	"math"
	"strconv"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/keymap"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// player moves the cursor by itself: as a film, in which each record has a beat (package film), or live, in proportion to virtual time.
type player struct {
	playing bool
	// generation tells the ticks of this play from those of earlier ones, which may still arrive.
	generation int
	speed      int
	// shown is how much of its beat the record at the cursor has been shown.
	shown time.Duration
	// skipIdle shortens long waits where the play is live; in a film they are short.
	skipIdle bool
	// still means that messages do not move.
	still bool
}

// speeds are the multiples of the normal pace.
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

// scaled is how much time of the film, or of the run, passes in a length of real time.
func (p *player) scaled(real time.Duration) time.Duration {
	return time.Duration(float64(real) * p.factor())
}

// pace says how fast virtual time passes: 1/40 of real time, or x8.
func (v *viewer) pace() string {
	switch ratio := v.Scenes.Film.Pace(v.Scenes.Film.Place(v.Seq, v.Now)) * v.player.factor(); {
	case v.Live && v.player.speed == normalSpeed:
		return "live"
	case v.Live:
		return "live " + v.player.speedText()
	case ratio <= 0:
		return ""
	case ratio < 1:
		return "1/" + rounded(1/ratio)
	default:
		return "x" + rounded(ratio)
	}
}

// rounded has one digit that counts: a number that changes all the time is not read.
func rounded(x float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	return strconv.FormatFloat(math.Round(x/unit)*unit, 'f', 0, 64)
}

// playerKey paces the player, and says at which pace it plays now.
func (v *viewer) playerKey(msg tea.KeyMsg, k *keymap.KeyMap) (status string, ok bool) {
	p := &v.player
	switch {
	case key.Matches(msg, k.Faster):
		p.speed = min(p.speed+1, len(speeds)-1)
	case key.Matches(msg, k.Slower):
		p.speed = max(p.speed-1, 0)
	case key.Matches(msg, k.Live):
		p.shown = 0
		if v.Live = !v.Live; v.Live {
			return "plays live: in proportion to virtual time", true
		}
		return "plays a film: each record for a beat, each decision longer", true
	case key.Matches(msg, k.Idle):
		if p.skipIdle = !p.skipIdle; p.skipIdle {
			return "skips idle time", true
		}
		return "plays idle time as well", true
	default:
		return "", false
	}
	if v.Live {
		return "plays at " + p.speedText() + " of virtual time", true
	}
	return "plays the film at " + p.speedText(), true
}

// play starts or continues; status says why it does not.
func (v *viewer) play() (status string) {
	if recording.Next(v.Visible, v.Seq) == 0 {
		return v.ending()
	}
	v.player.playing, v.player.shown = true, 0
	v.player.generation++
	v.Now = v.Rec.At(v.Seq)
	if v.told() {
		// A note was read before the play was continued.
		v.player.shown = v.Scenes.Film.Beat(v.Seq, recording.Next(v.Visible, v.Seq))
	}
	return ""
}

// ending is said where nothing follows: a lesson of the course names the next one.
func (v *viewer) ending() string {
	if next := v.NextLesson(); next != "" {
		return "the end; enter opens the next lesson: " + next
	}
	return "this is the end of the recording: home goes to its start"
}

// onward says which key continues after what the scenario says.
func (v *viewer) onward() string {
	if recording.Next(v.Visible, v.Seq) == 0 {
		return v.ending()
	}
	return "space continues"
}

func (v *viewer) pause() {
	v.player.playing, v.Phase = false, 0
	v.player.generation++
}

// told reports whether the scenario says something at the cursor, which wants to be read before what it is about goes by.
func (v *viewer) told() bool { return pane.Missing(pane.Card{}, v.Moment) == "" }

// advance lets one tick pass. status says why the player pauses.
func (v *viewer) advance() (status string) {
	passed := v.player.scaled(tickEvery)
	now := v.Now + passed
	v.player.shown += passed
	for {
		next := recording.Next(v.Visible, v.Seq)
		switch {
		case next == 0:
			v.pause()
			return v.ending()
		case v.Live && v.waits(next, now):
			return ""
		case !v.Live && v.shows(next):
			v.Phase = v.phase(next)
			return ""
		}
		v.move(next)
		if v.told() {
			v.pause()
			if v.Rec.Record(next).Ask == nil {
				return v.onward()
			}
			return ""
		}
	}
}

// shows shows the record at the cursor until its beat is over, while virtual time runs to that of the next one. It reports whether
// the beat is not over yet.
func (v *viewer) shows(next int64) bool {
	beat := v.Scenes.Film.Beat(v.Seq, next)
	if v.player.shown >= beat {
		v.player.shown -= beat
		return false
	}
	at := v.Rec.At(v.Seq)
	v.Now = at + time.Duration(float64(v.Rec.At(next)-at)*float64(v.player.shown)/float64(beat))
	return true
}

// A message travels for the first part of its beat, if that is long enough for two pictures of the way.
const (
	longestTravel  = 450 * time.Millisecond
	shortestTravel = 2 * tickEvery
)

// phase is how far the message of the record at the cursor is on its way.
func (v *viewer) phase(next int64) int {
	way := min(v.Scenes.Film.Beat(v.Seq, next), longestTravel)
	if v.player.still || way < v.player.scaled(shortestTravel) {
		return 0
	}
	return min(1+int(v.player.shown*pane.Phases/way), pane.Phases)
}

// waits lets virtual time pass, and shortens a long wait for the next record. It reports whether that has not come yet.
func (v *viewer) waits(next int64, now time.Duration) bool {
	if v.Rec.At(next) <= now {
		return false
	}
	if wait := v.Rec.At(next) - now; v.player.skipIdle && wait > v.player.scaled(longWait) {
		now = v.Rec.At(next) - v.player.scaled(restWait)
	}
	v.Now = now
	return true
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
	if m.viewer.atEdge() {
		return m.more(recording.Extent{}, m.play)
	}
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
	before := v.Seq
	if status := v.advance(); status != "" {
		m.status = status
	}
	m.followed(before)
	if !v.player.playing && v.atEdge() && !v.told() {
		return m.play()
	}
	return m.tick()
}
