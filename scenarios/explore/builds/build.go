package builds

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

// Build is a program that contains a version of Kubernetes.
type Build struct {
	Path    string
	Version Version
	version.Info
}

// base is how the names of all builds begin, and named is the form of these names.
const base = "kubestep"

var named = regexp.MustCompile(`^` + base + `(?:-(\d+\.\d+(?:\.\d+)?))?(?:\.exe)?$`)

// askLimit is how long a program may take to say which version it is.
const askLimit = 20 * time.Second

// ask asks a program which version of Kubernetes it contains.
func ask(ctx context.Context, path string) (*Build, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, askLimit, fmt.Errorf("no answer within %s", askLimit))
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "version", "-o", "json")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	build := &Build{Path: path}
	if err == nil {
		err = json.Unmarshal(out, &build.Info)
	}
	if err == nil {
		build.Version, err = Parse(build.Kubernetes)
	}
	if err != nil {
		return nil, &Error{
			Message: fmt.Sprintf("%s does not say which version of Kubernetes it contains: %v", path, err),
			Try:     "remove it, or build it again: " + makeBuild(path),
		}
	}
	return build, nil
}

// makeBuild is the command that builds a file of this name.
func makeBuild(path string) string {
	if parts := named.FindStringSubmatch(filepath.Base(path)); parts != nil && parts[1] != "" {
		return "make build KUBERNETES=" + parts[1]
	}
	return "make build"
}

// self is this program.
func self() (*Build, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	own := &Build{Path: path, Info: version.Get()}
	own.Version, err = Parse(own.Kubernetes)
	return own, err
}

// Find finds the build of a version: this program, or one that is named so. Of several patch versions it takes the highest,
// unless one is wanted.
func Find(ctx context.Context, text string) (*Build, error) {
	wanted, err := Parse(text)
	if err != nil {
		return nil, err
	}
	own, err := self()
	if err != nil || own.Version.Is(wanted) {
		return own, err
	}
	var other *Build
	var broken error
	for _, path := range candidates(own.Path, wanted) {
		build, err := ask(ctx, path)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			broken = cmp.Or(broken, err)
		case build.Version.Is(wanted):
			return build, nil
		case other == nil && filepath.Base(path) != base:
			other = build
		}
	}
	switch {
	case broken != nil:
		return nil, broken
	case other != nil:
		return nil, &Error{
			Message: fmt.Sprintf("%s contains Kubernetes %s, not %s", other.Path, other.Version, wanted),
			Try:     "make build KUBERNETES=" + wanted.String(),
		}
	}
	return nil, notBuilt(wanted, own.Path)
}

// Pair finds the builds of two versions.
func Pair(ctx context.Context, textA, textB string) (a, b *Build, err error) {
	if a, err = Find(ctx, textA); err == nil {
		b, err = Find(ctx, textB)
	}
	return a, b, err
}

// Each finds the builds of several versions, in this order. Two names of one version, and builds of another kubestep than the first
// one, are an *Error: of two versions of kubestep, nobody could tell what comes from Kubernetes.
func Each(ctx context.Context, texts []string) (all []*Build, err error) {
	for i, text := range texts {
		build, err := Find(ctx, text)
		if err != nil {
			return nil, err
		}
		for j, other := range all {
			switch {
			case other.Version == build.Version:
				return nil, &Error{
					Message: fmt.Sprintf("%s and %s are the same version: %s", texts[j], text, build.Version),
					Try:     "two versions that differ",
				}
			case other.Kubestep != build.Kubestep:
				return nil, &Error{
					Message: fmt.Sprintf("%s is kubestep %s, and %s is kubestep %s",
						other.Path, other.Kubestep, build.Path, build.Kubestep),
					Try: fmt.Sprintf("make build KUBERNETES=%s, and make build KUBERNETES=%s", texts[j], texts[i]),
				}
			}
		}
		all = append(all, build)
	}
	return all, nil
}

// notBuilt is the error for a version without a build.
func notBuilt(wanted Version, own string) error {
	return &Error{
		Message: fmt.Sprintf("%s-%s is not in %s or in PATH", base, wanted, filepath.Dir(own)),
		Try:     HowToBuild(wanted.String()),
	}
}

// HowToBuild is the command that builds a version, or the versions that can be built.
func HowToBuild(version string) string {
	if !IsBuildable(version) {
		return "a supported version: " + versions.Names()
	}
	return "make build KUBERNETES=" + version
}

// IsBuildable reports whether kubestep can be built for a version.
func IsBuildable(version string) bool {
	_, err := versions.Find(version)
	return err == nil
}

// candidates are the programs that may be the build of a version: by their names, the most exact name first, and a plain
// kubestep last.
func candidates(own string, wanted Version) (paths []string) {
	type found struct {
		path    string
		version Version
		plain   bool
	}
	var all []found
	for _, path := range programs(own) {
		switch name := named.FindStringSubmatch(filepath.Base(path))[1]; {
		case name == "":
			all = append(all, found{path: path, plain: true})
		default:
			of, err := Parse(name)
			if err == nil && of.minor() == wanted.minor() && (of.Patch == Any || of.Is(wanted)) {
				all = append(all, found{path: path, version: of})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
		exact := func(f found) int {
			switch {
			case f.plain:
				return 2
			case f.version == wanted:
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(exact(a), exact(b)), Compare(b.version, a.version))
	})
	for _, f := range all {
		paths = append(paths, f.path)
	}
	return paths
}

// programs are the files that are named as builds are: those beside this program, and those on PATH.
func programs(own string) (paths []string) {
	dirs := append([]string{filepath.Dir(own)}, filepath.SplitList(os.Getenv("PATH"))...)
	seen := map[string]bool{}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			if !named.MatchString(entry.Name()) {
				continue
			}
			path, err := exec.LookPath(filepath.Join(dir, entry.Name()))
			if real, realErr := filepath.EvalSymlinks(path); err == nil && realErr == nil && !seen[path] && real != own {
				seen[path] = true
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// All are all builds, this program among them, in the order of their versions; of two of the same version the first one
// that is found. Programs that do not say what they are, are left out.
func All(ctx context.Context) ([]*Build, error) {
	own, err := self()
	if err != nil {
		return nil, err
	}
	paths := programs(own.Path)
	asked := make([]*Build, len(paths))
	var all sync.WaitGroup
	for i, path := range paths {
		all.Go(func() { asked[i], _ = ask(ctx, path) })
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	builds := []*Build{own}
	for _, build := range asked {
		same := func(b *Build) bool { return build != nil && b.Version == build.Version }
		if build != nil && !slices.ContainsFunc(builds, same) {
			builds = append(builds, build)
		}
	}
	slices.SortFunc(builds, func(a, b *Build) int { return Compare(a.Version, b.Version) })
	return builds, nil
}
