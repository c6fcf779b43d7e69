package tui

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/tui/internal/keymap"
	"github.com/kubestep/kubestep/tui/internal/opener"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// sizes are one of each breakpoint, from the smallest terminal to a large one.
var sizes = [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}}

// viewing is an interface that shows a recording on a terminal of w by h cells.
func viewing(t testing.TB, name string, w, h int) *Model {
	t.Helper()
	rec, err := recordings.Open(t.Context(), picker.Entry{Name: name, File: name}, opener.News{})
	if err != nil {
		t.Fatal(err)
	}
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	m := Show(Options{Theme: colors, Open: recordings, At: "7.514s"}, rec)
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// TestEveryViewFits shows each view of the table with each of its panes, in terminals of each size. Every screen has
// exactly the lines and the cells of the terminal.
func TestEveryViewFits(t *testing.T) {
	for _, name := range []string{"rolling-update", "statefulset", "job", "endpointslice"} {
		for _, size := range sizes {
			m := viewing(t, name, size[0], size[1])
			for _, v := range append(slices.Clone(views.All), views.Presentation) {
				m.present = v == views.Presentation
				if !m.present {
					m.viewer.open(v)
				}
				for tab := range max(len(m.viewer.tabs(m.breakpoint())), 1) {
					m.viewer.tab = tab
					for _, scroll := range []int{0, 3, 1000} {
						m.viewer.Scroll = scroll
						fits(t, fmt.Sprintf("%s, %s tab %d scroll %d", name, v.Name, tab, scroll), m)
					}
				}
			}
		}
	}
}

// fits holds that the screen has the size of the terminal.
func fits(t *testing.T, what string, m *Model) {
	t.Helper()
	lines := strings.Split(m.View(), "\n")
	if len(lines) != m.height {
		t.Errorf("%s: %d lines on %d x %d", what, len(lines), m.width, m.height)
	}
	for i, line := range lines {
		if n := ansi.StringWidth(line); n != m.width {
			t.Errorf("%s: line %d has %d cells on %d x %d: %q", what, i+1, n, m.width, m.height, line)
		}
	}
}

// TestEveryViewIsReached presses the key of each view and of its shortcut, finds it in the help by its name, and says
// what it is about.
func TestEveryViewIsReached(t *testing.T) {
	keys := map[string]string{}
	for _, size := range sizes {
		m := viewing(t, "rolling-update", size[0], size[1])
		for i, v := range views.All {
			if v.Key == "" || v.Name == "" || v.About == "" {
				t.Errorf("view %d has the key %q, the name %q and is about %q", i+1, v.Key, v.Name, v.About)
			}
			m.press(v.Key)
			if m.viewer.view != v {
				t.Errorf("%s shows %s, not %s", v.Key, m.viewer.view.Name, v.Name)
			}
			if v.Shortcut.Pane != nil {
				m.press(v.Shortcut.Key)
				if m.viewer.chosen(m.breakpoint()) != v.Shortcut.Pane {
					t.Errorf("%s does not show its pane of %s", v.Shortcut.Key, v.Name)
				}
				m.press(v.Shortcut.Key)
				if m.viewer.chosen(m.breakpoint()) == v.Shortcut.Pane {
					t.Errorf("%s does not leave its pane of %s", v.Shortcut.Key, v.Name)
				}
			}
		}
	}
	if !slices.ContainsFunc(views.All, func(v *views.View) bool {
		_, missing := v.Main.(pane.Conditional)
		return v.First && !missing
	}) {
		t.Error("some recordings are opened in no view")
	}
	k := keymap.New()
	for _, group := range k.Groups() {
		for _, binding := range group.Keys {
			for _, name := range binding.Keys() {
				if other := keys[name]; other != "" && other != binding.Help().Desc {
					t.Errorf("%q is the key of %q and of %q", name, other, binding.Help().Desc)
				}
				keys[name] = binding.Help().Desc
			}
		}
	}
	for _, v := range views.All {
		if text := keys[v.Key]; !strings.Contains(text, v.Name) || !strings.Contains(text, v.About) {
			t.Errorf("the help says of %s: %q", v.Key, text)
		}
	}
}

// TestOnlyTheTableKnowsTheViews holds that no code of this package names a view, its key or its main pane, so
// that a view is added by a row in the table of all views, and one with its pane in that of the terminal.
func TestOnlyTheTableKnowsTheViews(t *testing.T) {
	tables := []string{filepath.Join("internal", "views", "table.go"), filepath.Join("..", "scenarios", "language", "view", "view.go")}
	names, panes := map[string]bool{}, map[string]bool{}
	for _, v := range views.All {
		names[v.Name], names[v.Key] = true, true
		if v.Shortcut.Key != "" {
			names[v.Shortcut.Key] = true
		}
		panes[reflect.TypeOf(v.Main).Name()] = true
	}
	if !panes[reflect.TypeFor[pane.Rollout]().Name()] {
		t.Fatal("the names of panes are not found")
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(files, tables...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, file, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			known := ""
			switch n := n.(type) {
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && names[text] {
					known = n.Value
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "pane" && panes[n.Sel.Name] {
					known = "pane." + n.Sel.Name
				}
			}
			switch {
			case known == "":
			case slices.Contains(tables, file):
				found++
			default:
				t.Errorf("%s: %s belongs into the table of views", fset.Position(n.Pos()), known)
			}
			return true
		})
	}
	if found < 3*len(views.All) {
		t.Errorf("%q name their views only %d times: this test finds nothing", tables, found)
	}
}
