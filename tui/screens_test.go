package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/tui/internal/opener"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// asKubestep makes the test binary be kubestep: recordings are made by processes of their own.
const asKubestep = "KUBESTEP_TUI_TEST_CHILD"

// cachedOpener makes each recording once for all tests: recordings do not change.
type cachedOpener map[string]*recording.Recording

var recordings = cachedOpener{}

// Open implements Opener.
func (o cachedOpener) Open(ctx context.Context, e picker.Entry, n opener.News) (*recording.Recording, error) {
	key := e.File + string(e.Source) + e.Language.String()
	if rec := o[key]; rec != nil {
		return rec, nil
	}
	rec, err := opener.Run{}.Open(ctx, e, n)
	if err == nil {
		// The exact build names none. The screens are those of the stock build.
		rec.OpenOrder = controllers.OpenOrder(slices.Collect(rec.All()))
		o[key] = rec
	}
	return rec, err
}

// screens drives a model with keys, without a terminal and without a clock.
type screens struct {
	model *Model
	// ticks are the messages that the player has asked for.
	ticks []tea.Msg
	// explained are the explanations that were computed beside the screen, and that it has not received yet.
	explained []tea.Msg
	quit      bool
}

// TestScreens runs the scripts of testdata: which keys are pressed, and what the screen shows then.
//
//	open [NAME]     size=(W,H) at=PLACE   opens a scenario, or the picker; inline is the spec of the input
//	                language=TAG          in a language
//	                at-once=N             explains only syncs that list up to N objects before it draws
//	                                      A run that directs the reader to no view is in the view Rollout, or with stage in that in
//	                                      which readers find it
//	pods            n=N                   opens an archive of N Pods that is large: see archiveOfPods and openPods
//	blocks          which blocks of the archive were read, and how many of them decompressed
//	explained       lets an explanation arrive that was computed beside the screen
//	keys            presses the keys of the input; "/web" types text
//	tick            n=N                   lets the player's clock tick
//	size            to=(W,H)              resizes the terminal
//	click           at=(X,Y) button=NAME  presses a button of the mouse: left, up or down for the wheel, or drag
//	layout          the views of the input, a line each, at one size of each breakpoint; prints where the panes are
//
// The others print the screen. With part=(FROM,TO) it prints only these lines, counted from 1, and with quiet none.
func TestScreens(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &screens{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "open":
				s.open(t, d)
			case "pods":
				s.openPods(t, d)
			case "blocks":
				return s.blocks(t)
			case "explained":
				if len(s.explained) == 0 {
					d.Fatalf(t, "nothing was computed beside the screen")
				}
				arrived := s.explained[0]
				s.explained = s.explained[1:]
				s.send(arrived)
			case "click":
				s.click(t, d)
			case "layout":
				return layouts(t, d)
			case "keys":
				for _, key := range strings.Fields(d.Input) {
					s.press(key)
				}
			case "tick":
				n := 1
				d.MaybeScanArgs(t, "n", &n)
				for range n {
					s.tick()
				}
			case "size":
				var w, h int
				d.ScanArgs(t, "to", &w, &h)
				s.send(tea.WindowSizeMsg{Width: w, Height: h})
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			return s.screen(t, d)
		})
	})
}

// options are those of a script.
func (s *screens) options(t *testing.T, d *datadriven.TestData) Options {
	t.Helper()
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Theme: colors, Open: recordings, Tick: func(_ time.Duration, msg tea.Msg) tea.Cmd {
		s.ticks = append(s.ticks, msg)
		return nil
	}}
	d.MaybeScanArgs(t, "at", &options.At)
	d.MaybeScanArgs(t, "at-once", &options.AtOnce)
	return options
}

// begin shows a model in a terminal.
func (s *screens) begin(t *testing.T, d *datadriven.TestData, m *Model) {
	t.Helper()
	*s = screens{model: m}
	w, h := 120, 34
	d.MaybeScanArgs(t, "size", &w, &h)
	s.send(tea.WindowSizeMsg{Width: w, Height: h})
}

func (s *screens) open(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	options, tag := s.options(t, d), localization.English
	d.MaybeScanArgs(t, "language", &tag)
	var err error
	if options.Language, err = localization.Open(tag); err != nil {
		t.Fatal(err)
	}
	options.Library = shortLibrary(t, options.Language)
	if d.Input != "" {
		options.Library = append(options.Library, inline(t, d.Input))
	}
	s.begin(t, d, New(options))
	for i := range options.Library {
		if len(d.CmdArgs) > 0 && options.Library[i].Name == d.CmdArgs[0].Key && len(d.CmdArgs[0].Vals) == 0 {
			s.model.picker.Move(i)
			s.press("enter")
			if v := s.model.viewer; v != nil && v.view.View == view.Stage && !d.HasArg("stage") {
				v.open(views.Of(map[bool]*view.View{true: view.Rollout, false: view.Trace}[len(v.Rec.Workloads()) > 0]))
			}
		}
	}
}

// inline is a scenario that stands in the script. The script leaves out what all scenarios have.
func inline(t *testing.T, text string) picker.Entry {
	t.Helper()
	file := filepath.Join(t.TempDir(), "inline.yaml")
	text = "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: inline}\nspec:\n  " + text + "\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	scenario, err := runner.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return picker.NewEntry(scenario, file)
}

// shortLibrary is a part of what is shipped, so that a new scenario changes no screen of these tests.
func shortLibrary(t testing.TB, language *localization.Language) []picker.Entry {
	t.Helper()
	all, err := picker.Library(language)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(e picker.Entry) bool {
		return !slices.Contains([]string{
			"rolling-update", "statefulset", "daemonset", "job", "job-backoff", "endpointslice", "replicaset", "worked-13", "c08",
		}, e.Name)
	})
}

// press sends a key; 12*n is twelve times n, and a text in quotes is typed.
func (s *screens) press(key string) {
	for _, msg := range typed(key) {
		s.send(msg)
	}
}

// send updates the model until no command is left. What a text field asks for is its blinking cursor.
func (s *screens) send(msg tea.Msg) {
	_, cmd := s.model.Update(msg)
	s.run(cmd)
}

// run runs a command, and those that follow.
func (s *screens) run(cmd tea.Cmd) {
	if cmd == nil || s.model.prompt.ask != nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		s.quit = true
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.run(cmd)
		}
	case explainedMsg:
		s.explained = append(s.explained, msg)
	default:
		s.send(msg)
	}
}

func (s *screens) click(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	var msg tea.MouseMsg
	d.ScanArgs(t, "at", &msg.X, &msg.Y)
	button := "left"
	d.MaybeScanArgs(t, "button", &button)
	msg.Action = tea.MouseActionPress
	switch button {
	case "left":
		msg.Button = tea.MouseButtonLeft
	case "drag":
		msg.Button, msg.Action = tea.MouseButtonLeft, tea.MouseActionMotion
	case "up":
		msg.Button = tea.MouseButtonWheelUp
	case "down":
		msg.Button = tea.MouseButtonWheelDown
	default:
		d.Fatalf(t, "no button %s", button)
	}
	s.send(msg)
}

func (s *screens) tick() {
	ticks := s.ticks
	s.ticks = nil
	for _, msg := range ticks {
		s.send(msg)
	}
}

// hash is left out of goldens: it tells of much that a screen does not show.
var hash = regexp.MustCompile(`trace [0-9a-f]{8}`)

// screen is what is shown, without colors. Every line has the terminal's width, or it would be broken.
func (s *screens) screen(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	if s.quit {
		return "(left)"
	}
	lines := strings.Split(s.model.View(), "\n")
	if len(lines) != s.model.height {
		t.Errorf("%s: %d lines in a terminal of %d", d.Pos, len(lines), s.model.height)
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w != s.model.width {
			t.Errorf("%s: line %d has %d cells in a terminal of %d", d.Pos, i+1, w, s.model.width)
		}
		lines[i] = hash.ReplaceAllString(strings.TrimRight(ansi.Strip(line), " "), "trace ........")
	}
	if d.HasArg("quiet") {
		return ""
	}
	from, to := 1, len(lines)
	d.MaybeScanArgs(t, "part", &from, &to)
	return fmt.Sprintln(strings.Join(lines[from-1:to], "\n"))
}
