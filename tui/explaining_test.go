package tui

import (
	"bytes"
	"math"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// beside drives a model as a terminal does: commands run on goroutines of their own while keys are pressed.
type beside struct {
	*Model
	arrived chan tea.Msg
	// running is how many commands have not ended, and explained how many explanations have arrived.
	running, explained int
}

func (b *beside) send(msg tea.Msg) {
	_, cmd := b.Update(msg)
	_ = b.View()
	b.start(cmd)
}

func (b *beside) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	b.running++
	go func() { b.arrived <- cmd() }()
}

// take takes what a command came to; if wait is false, only if one has ended.
func (b *beside) take(wait bool) {
	var msg tea.Msg
	if wait {
		msg = <-b.arrived
	} else {
		select {
		case msg = <-b.arrived:
		default:
			return
		}
	}
	b.running--
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			b.start(cmd)
		}
		return
	case explainedMsg:
		b.explained++
	}
	b.send(msg)
}

// TestMovesWhileSyncsAreExplained moves through a run while explanations are computed on another goroutine, which the race detector can
// watch. In the end, the screen is that of a model which computes each explanation before it draws.
func TestMovesWhileSyncsAreExplained(t *testing.T) {
	rec := recorded(t, "rolling-update")
	var file bytes.Buffer
	writer, err := archive.NewWriter(&file, archive.Header{})
	for record := range rec.All() {
		if err == nil {
			err = writer.Write(record, record.Line())
		}
	}
	if err == nil {
		err = writer.Close(archive.End{})
	}
	if err != nil {
		t.Fatal(err)
	}
	colors, err := theme.New("default", "dark")
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]func() (*recording.Recording, error){
		"a run": func() (*recording.Recording, error) { return rec, nil },
		"an archive": func() (*recording.Recording, error) {
			return recording.Read(bytes.NewReader(file.Bytes()), recording.Origin{})
		},
	}
	for what, open := range open {
		show := func(atOnce int) *beside {
			rec, err := open()
			if err != nil {
				t.Fatal(err)
			}
			return &beside{Model: Show(Options{Theme: colors, Open: recordings, AtOnce: atOnce}, rec), arrived: make(chan tea.Msg)}
		}
		deferring, waiting := show(1), show(math.MaxInt)
		for _, b := range []*beside{deferring, waiting} {
			b.start(b.Init())
			b.send(tea.WindowSizeMsg{Width: 160, Height: 50})
			for _, key := range keys("30*s 2 20*d 3 10*n 4 10*n m 10*S 1 5*w P 3*n P 2") {
				b.send(key)
				b.take(false)
			}
			for b.running > 0 {
				b.take(true)
			}
		}
		if want, got := waiting.View(), deferring.View(); want != got {
			t.Errorf("%s: the screen is\n%s\nwant\n%s", what, got, want)
		}
		if deferring.explained == 0 || waiting.explained != 0 {
			t.Errorf("%s: %d and %d explanations were computed beside the screen", what, deferring.explained, waiting.explained)
		}
	}
}

// keys reads keys as a script has them.
func keys(text string) (all []tea.KeyMsg) {
	for _, word := range strings.Fields(text) {
		all = append(all, typed(word)...)
	}
	return all
}
