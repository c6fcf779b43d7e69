// Release makes the files of a release of kubestep: for each platform an archive with the exact build and a bill of materials, one
// image for containers, the files with which Homebrew and krew install kubestep, and the checksums of all of them. It uploads
// nothing. The same commit gives the same files on every machine with the same release of Go.
//
// Usage: make release VERSION=v0.1.0, or in this folder: go run . -version v0.1.0
//
// It is a module of its own, so that what it needs is not among the dependencies of kubestep.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"
)

// What the files of a release say of kubestep.
const (
	description = "Step through what Kubernetes controllers do, in virtual time and without a cluster"
	license     = "Apache-2.0"
)

func main() {
	var r release
	var platforms string
	flag.StringVar(&r.version, "version", "", "the `VERSION` of the release, such as v0.1.0")
	flag.StringVar(&platforms, "platforms", "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64", "the `PLATFORMS`, separated by commas")
	flag.StringVar(&r.root, "source", filepath.Join("..", ".."), "the `FOLDER` with the source code of kubestep")
	flag.StringVar(&r.out, "out", "dist", "the `FOLDER` to write to, below that of the source code")
	flag.StringVar(&r.command, "go", "go", "the go `COMMAND`")
	flag.StringVar(&r.downloads, "downloads", "https://github.com/kubestep/kubestep/releases/download", "the `URL` of downloads, without the version")
	flag.StringVar(&r.image, "image", "ghcr.io/kubestep/kubestep", "the `NAME` of the image")
	flag.BoolVar(&r.trial, "trial", false, "accept changes that are not committed, to try a release out")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	var err error
	if r.platforms, err = parsePlatforms(platforms); err == nil {
		err = r.run()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		os.Exit(1)
	}
}

// platform is an operating system and an architecture, as Go names them.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

// parsePlatforms reads a list. Kubestep needs an architecture with 64 bits.
func parsePlatforms(list string) (all []platform, err error) {
	for text := range strings.SplitSeq(list, ",") {
		system, arch, ok := strings.Cut(strings.TrimSpace(text), "/")
		if !ok || system == "" || arch != "amd64" && arch != "arm64" {
			return nil, fmt.Errorf("platform %q: want OS/amd64 or OS/arm64", text)
		}
		all = append(all, platform{system, arch})
	}
	return all, nil
}

// release is what a release is made from.
type release struct {
	version, root, out, command, downloads, image string

	platforms []platform
	trial     bool
	source    source
	// flags are those of the exact build, for GOFLAGS.
	flags     string
	toolchain toolchain
	// kubernetes is the version of Kubernetes that is compiled in.
	kubernetes string
}

// run makes all files in an empty folder.
func (r *release) run() (err error) {
	if err := checkVersion(r.version); err != nil {
		return err
	}
	// The folder is emptied, so it must not be that of the source code, or one elsewhere.
	if !filepath.IsLocal(r.out) || filepath.Clean(r.out) == "." {
		return fmt.Errorf("-out %s is not a folder below that of the source code", r.out)
	}
	if r.root, err = filepath.Abs(r.root); err != nil {
		return err
	}
	if r.source, err = readSource(r.root, r.trial); err != nil {
		return err
	}
	if r.toolchain, err = r.readToolchain(); err != nil {
		return err
	}
	if r.flags, err = r.overlay(); err != nil {
		return err
	}
	r.out = filepath.Join(r.root, r.out)
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	binaries, err := r.binaries()
	if err != nil {
		return err
	}
	for _, write := range []func([]binary) error{r.archives, r.images, r.packages, r.checksums} {
		if err := write(binaries); err != nil {
			return err
		}
	}
	return nil
}

// checkVersion wants a semantic version with all three numbers, as Go, Homebrew and krew expect it. Build metadata would be a plus
// sign in the names of files.
func checkVersion(version string) error {
	if semver.Canonical(version) != version || version == "" {
		return fmt.Errorf("version %q is not a semantic version\nTry: make release VERSION=v0.1.0", version)
	}
	return nil
}

// file is the name of a file of the release: kubestep_v0.1.0_linux_amd64.tar.gz, say.
func (r *release) file(parts ...string) string {
	last := len(parts) - 1
	return strings.Join(append([]string{"kubestep", r.version}, parts[:last]...), "_") + parts[last]
}
