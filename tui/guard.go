package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/cli"
)

// guarded is a Model that ends when it has to show a block of an archive that is not what its outline says.
type guarded struct {
	*Model
	quit func()
	err  error
}

// Update implements tea.Model.
func (g *guarded) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	if g.err != nil {
		return g, tea.Quit
	}
	if g.err = cli.CatchDamage(func() error {
		_, cmd = g.Model.Update(msg)
		return nil
	}); g.err != nil {
		return g, tea.Quit
	}
	return g, cmd
}

// View implements tea.Model.
func (g *guarded) View() (text string) {
	if g.err != nil {
		return ""
	}
	if g.err = cli.CatchDamage(func() error {
		text = g.Model.View()
		return nil
	}); g.err != nil {
		go g.quit()
	}
	return text
}
