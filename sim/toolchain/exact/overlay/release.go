package main

import (
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

// known is the release of Go that the edits are written for. Another patch of it is fine as long as every anchor stands exactly once
// in its file. What has to change for the next release is in docs/howto/move-to-a-new-go-release.md.
const known = "go1.26.8"

// toolchain is what the go command says of itself.
type toolchain struct{ GOROOT, GOVERSION, GOMODCACHE string }

// installed asks a go command, in an environment with more variables.
func installed(command string, more ...string) (toolchain, error) {
	var t toolchain
	env := exec.Command(command, "env", "-json", "GOROOT", "GOVERSION", "GOMODCACHE")
	// With GOTOOLCHAIN, the go command says on standard error what it downloads, and why it cannot.
	env.Env, env.Stderr = append(os.Environ(), more...), os.Stderr
	text, err := env.Output()
	if err != nil {
		return t, fmt.Errorf("%s env: %w", strings.Join(append(more, command), " "), err)
	}
	return t, json.Unmarshal(text, &t)
}

// sources are those of the standard library.
func (t toolchain) sources() edit.Sources {
	return edit.Sources{Root: filepath.Join(t.GOROOT, "src"), Version: t.GOVERSION, Written: known}
}

// isKnown reports whether the toolchain is a patch of the release that the edits are written for.
func (t toolchain) isKnown() bool {
	// GOVERSION may be followed by experiments: "go1.26.8 X:something".
	name, _, _ := strings.Cut(t.GOVERSION, " ")
	return version.Lang(name) == version.Lang(known)
}

// isCached reports whether the toolchain is in the module cache, where the go command puts those that it downloads. It takes no overlay
// over files there.
func (t toolchain) isCached() bool {
	below, err := filepath.Rel(t.GOMODCACHE, t.GOROOT)
	return t.GOMODCACHE != "" && err == nil && filepath.IsLocal(below)
}

// apply returns the edited text of each file that edits name.
func (t toolchain) apply(edits []edit.Edit) (map[string]string, error) {
	if !t.isKnown() {
		return nil, fmt.Errorf("the edits are written for %s (any patch of %s); this is %s", known, version.Lang(known), t.GOVERSION)
	}
	return t.sources().Apply(edits)
}

// hinter is an error with a hint.
type hinter interface{ Try() string }

// unavailable is the error when there is no toolchain to edit.
type unavailable struct{ cause error }

func (u unavailable) Error() string { return "no exact build: " + u.cause.Error() }
func (unavailable) Try() string {
	return "install " + known + ", or make the stock build, in which Go decides some orders: make build EXACT=0"
}

// needsEnvironment is the error when the exact build needs another go command, and there is no file to say so.
type needsEnvironment struct{ what string }

func (n needsEnvironment) Error() string { return n.what }
func (needsEnvironment) Try() string {
	return "-environment FILE, and read FILE with the shell's . before you compile"
}

// A choice is the toolchain that compiles the exact build.
type choice struct {
	toolchain
	files map[string]string
	// environment makes every go command that one, and is for sh. It is empty if the installed toolchain is the one.
	environment string
}

// choose returns the toolchain of a go command with its edited files. If it is of a release to which the edits do not apply, it is the
// known one, which the go command finds or downloads: GOTOOLCHAIN names it. A toolchain in the module cache gets a second name
// outside, below folder.
func choose(command, folder string, edits []edit.Edit) (choice, error) {
	found, err := installed(command)
	if err != nil {
		return choice{}, err
	}
	files, err := found.apply(edits)
	if err == nil && !found.isCached() {
		return choice{toolchain: found, files: files}, nil
	}
	name, _, _ := strings.Cut(found.GOVERSION, " ")
	if cause := err; err != nil {
		name = known
		if found, err = installed(command, "GOTOOLCHAIN="+known); err != nil {
			return choice{}, unavailable{fmt.Errorf("%w, and %s is not available: %w", cause, known, err)}
		}
	}
	environment := "export GOTOOLCHAIN=" + name + "\n"
	if found.isCached() {
		bin, err := found.outside(folder, name)
		if err != nil {
			return choice{}, err
		}
		environment += "export PATH=" + quoted(bin) + ":\"$PATH\"\n"
		found.GOROOT = filepath.Join(bin, "goroot")
	}
	if files, err = found.apply(edits); err != nil {
		return choice{}, unavailable{err}
	}
	return choice{found, files, environment}, nil
}

// outside writes a folder for PATH. It has the go command of a toolchain under its name, which is where a go command looks first for the
// toolchain that GOTOOLCHAIN names. Its root is a link to the module cache, so that it is not below the cache.
func (t toolchain) outside(folder, name string) (bin string, err error) {
	bin = filepath.Join(folder, "toolchain")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", err
	}
	root := filepath.Join(bin, "goroot")
	// It may be a link to what an earlier version has taken.
	if err := os.RemoveAll(root); err != nil {
		return "", err
	}
	if err := os.Symlink(t.GOROOT, root); err != nil {
		return "", err
	}
	script := "#!/bin/sh\nexport GOROOT=" + quoted(root) + "\nexec \"$GOROOT/bin/go\" \"$@\"\n"
	return bin, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755)
}

// quoted is a text as one word of sh.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
