// Package packages fills in the files with which package managers install a release: a formula for Homebrew, and the manifest of
// a plugin for krew, the package manager of kubectl.
package packages

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
)

// Release is what the files say.
type Release struct {
	// Version begins with a v.
	Version, Homepage, Description, License string
	Archives                                []Archive
}

// Archive is the archive for a platform.
type Archive struct {
	// OS and Architecture are Go's names.
	OS, Architecture string
	URL, SHA256      string
	// Program is the name of the program in the archive.
	Program string
}

// Homebrew is the word of Homebrew for the architecture.
func (a Archive) Homebrew() string {
	if a.Architecture == "amd64" {
		return "intel"
	}
	return "arm"
}

// system has the archives of an operating system.
type system struct {
	Name     string
	Archives []Archive
}

// Homebrew is the word of Homebrew for the operating system.
func (s system) Homebrew() string {
	if s.Name == "darwin" {
		return "macos"
	}
	return s.Name
}

//go:embed kubestep.rb.tmpl
var formula string

//go:embed step.yaml.tmpl
var plugin string

// Formula writes the formula of Homebrew, which installs on macOS and Linux.
func (r Release) Formula(out io.Writer) error {
	return r.write(out, formula, func(a Archive) bool { return a.OS != "windows" })
}

// Plugin writes the manifest of krew.
func (r Release) Plugin(out io.Writer) error {
	return r.write(out, plugin, func(Archive) bool { return true })
}

func (r Release) write(out io.Writer, text string, installs func(Archive) bool) error {
	parsed, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		return err
	}
	systems := r.systems(installs)
	if len(systems) == 0 {
		return fmt.Errorf("there is no archive for a platform on which the package manager runs")
	}
	return parsed.Execute(out, struct {
		Release
		// Number is the version without its v.
		Number  string
		Systems []system
	}{r, strings.TrimPrefix(r.Version, "v"), systems})
}

// systems groups the archives, in the order of their names.
func (r Release) systems(installs func(Archive) bool) (all []system) {
	archives := slices.Clone(r.Archives)
	slices.SortFunc(archives, func(a, b Archive) int {
		return cmp.Or(cmp.Compare(a.OS, b.OS), cmp.Compare(a.Architecture, b.Architecture))
	})
	for _, a := range archives {
		if !installs(a) {
			continue
		}
		if len(all) == 0 || all[len(all)-1].Name != a.OS {
			all = append(all, system{Name: a.OS})
		}
		last := &all[len(all)-1]
		last.Archives = append(last.Archives, a)
	}
	return all
}
