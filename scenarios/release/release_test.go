package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	twice = flag.Bool("twice", false, "make a release in two folders and compare")
	cold  = flag.Bool("cold", false, "with -twice: compile the second release with an empty build cache, which takes some minutes")
)

// TestTwoReleasesAreAlike makes a release of the same commit in two folders and compares all files. Go's build cache is the same for
// both, so what it proves is that neither our own packages, nor the linker, nor the programs that write the files, nor the keys of
// the cache depend on the folder. With -cold the second has a cache of its own, and the comparison is about the compiler, too.
func TestTwoReleasesAreAlike(t *testing.T) {
	if !*twice {
		t.Skip("make release-test runs this: it builds kubestep twice")
	}
	var sums []string
	for i, name := range []string{"one", "a folder with another name"} {
		root := filepath.Join(t.TempDir(), name)
		run(t, nil, "git", "clone", "-q", filepath.Join("..", ".."), root)
		var env []string
		if *cold && i == 1 {
			env = append(env, "GOCACHE="+filepath.Join(t.TempDir(), "cache"))
		}
		run(t, env, "go", "-C", filepath.Join(root, "scenarios", "release"), "run", ".", "-version", "v0.0.0", "-platforms", "linux/amd64")
		run(t, nil, "sh", "-c", `cd "$1/dist" && sha256sum -c --quiet SHA256SUMS`, "sh", root)
		text, err := os.ReadFile(filepath.Join(root, "dist", sumsFile))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, string(text))
	}
	if diff := cmp.Diff(sums[0], sums[1]); diff != "" {
		t.Errorf("-one +other\n%s", diff)
	}
	t.Logf("both have\n%s", sums[0])
}

// run runs a command whose output is shown when it fails.
func run(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func TestPlatforms(t *testing.T) {
	for list, want := range map[string]string{
		"linux/amd64, darwin/arm64": "linux/amd64 darwin/arm64",
		"linux/386":                 `platform "linux/386": want OS/amd64 or OS/arm64`,
		"linux":                     `platform "linux": want OS/amd64 or OS/arm64`,
		"":                          `platform "": want OS/amd64 or OS/arm64`,
	} {
		all, err := parsePlatforms(list)
		var names []string
		for _, p := range all {
			names = append(names, p.String())
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", list, got, want)
		}
	}
}

func TestVersions(t *testing.T) {
	for version, want := range map[string]bool{
		"v0.1.0": true, "v1.20.3": true, "v0.1.0-rc.1": true,
		"": false, "0.1.0": false, "v1": false, "v0.1": false, "v0.1.0+meta": false, "latest": false, "v01.0.0": false,
	} {
		if err := checkVersion(version); (err == nil) != want {
			t.Errorf("%q: %v", version, err)
		}
	}
}

// TestTheFolderIsBelowTheSource keeps a release from emptying a folder that is not its own.
func TestTheFolderIsBelowTheSource(t *testing.T) {
	for _, out := range []string{"", ".", "..", "/", "dist/..", "../dist"} {
		r := release{version: "v0.1.0", root: t.TempDir(), out: out}
		if err := r.run(); err == nil || !strings.Contains(err.Error(), "not a folder below") {
			t.Errorf("-out %q: %v", out, err)
		}
	}
}

// TestTheLinkerSetsVariablesThatExist: it ignores others, and then a release would call itself devel.
func TestTheLinkerSetsVariablesThatExist(t *testing.T) {
	for file, line := range map[string]string{
		versionPackage + "/version.go": "var Version, Commit string",
		"Makefile":                     "SETS := " + mainModule + "/" + versionPackage,
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil || !strings.Contains(string(text), "\n"+line+"\n") {
			t.Errorf("%s does not have the line %s: %v", file, line, err)
		}
	}
}

func TestAPathOfTheMachineIsFound(t *testing.T) {
	data := []byte("k8s.io/api@v0.36.3/core/v1/types.go\x00/home/me/kubestep/main.go\x00")
	err := findTraces(data, []string{"/usr/local/go", "/home/me/kubestep"})
	if err == nil || !strings.Contains(err.Error(), "/home/me/kubestep/main.go") {
		t.Errorf("%v", err)
	}
	if err := findTraces(data, []string{"/usr/local/go"}); err != nil {
		t.Error(err)
	}
}

func TestChangesThatAreNotCommitted(t *testing.T) {
	root := t.TempDir()
	identity := []string{"-c", "user.name=me", "-c", "user.email=me@example.com", "-C", root}
	run(t, nil, "git", "init", "-q", root)
	file := filepath.Join(root, "main.go")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	run(t, nil, "git", append(identity, "add", ".")...)
	run(t, []string{"GIT_COMMITTER_DATE=2026-05-17T12:00:00+01:00"}, "git", append(identity, "commit", "-qm", "One")...)
	s, err := readSource(root, false)
	if err != nil || len(s.commit) != 40 || s.date.String() != "2026-05-17 11:00:00 +0000 UTC" {
		t.Errorf("%+v, %v", s, err)
	}
	write("two")
	if _, err := readSource(root, false); err == nil || !strings.Contains(err.Error(), "main.go") {
		t.Errorf("a change that is not committed: %v", err)
	}
	if _, err := readSource(root, true); err != nil {
		t.Errorf("a trial: %v", err)
	}
}
