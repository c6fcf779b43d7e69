// Package versions knows the versions of Kubernetes that kubestep can be compiled with.
//
// A binary contains the controllers and the API server of one version. The main version is the one that go.mod requires: plain
// go build and go test use it, and golden files belong to it. For each other supported version there is a module file next to
// this source, kubernetes-1.35.mod, which `go build -modfile` takes instead of go.mod. It requires the modules that this version
// of Kubernetes was released with.
//
// # Build tags
//
// Upstream's Go API changes between minor versions. Where kubestep uses what changed, two files with the same declarations stand
// next to each other: one for newer versions and one for older ones, whose name ends in _before_1_36.go and which begins with
//
//	//go:build kubernetes_before_1_36
//
// The file for newer versions has the same tag with an exclamation mark. A build for a version has the tags of all minor versions
// after it, up to the main version: 1.35 has kubernetes_before_1_36 and kubernetes_before_1_37, and the main version has none. So a
// new version adds files, and changes none of the existing tags.
//
// Versions after the main version have tags the other way round, since plain go build has no tags: a file whose name ends in
// _since_1_38.go begins with
//
//	//go:build kubernetes_since_1_38
//
// and the file next to it, for the main version and older ones, has this tag with an exclamation mark. 1.38 would have one such tag,
// and 1.39 two.
//
// The program modules writes the module files. The program typecheck says what does not compile with a version.
package versions

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Main is the version that go.mod requires.
const Main = "v1.37.2"

// oldest is the oldest minor version with files of its own.
const oldest = 34

// A Version is a version of Kubernetes that kubestep can be compiled with.
type Version struct {
	// Name is what users call it, such as 1.35 or 1.35.0.
	Name string
	// Kubernetes is the version of the module k8s.io/kubernetes, such as v1.35.4.
	Kubernetes string
}

// Supported are all versions, from the newest to the oldest. A minor version means the newest patch level of which the module proxy
// has all modules. A patch level of its own is listed when it behaves differently in a way that users noticed.
var Supported = []Version{
	{"1.37", Main},
	{"1.36", "v1.36.3"},
	{"1.35", "v1.35.4"},
	{"1.35.0", "v1.35.0"},
	{"1.34", "v1.34.4"},
	{"1.34.0", "v1.34.0"},
}

// Find returns a version by its name. A patch level that is not listed is a Version, too, when its minor version is supported;
// it has no module file yet. The name may have a leading v.
func Find(name string) (Version, error) {
	name = strings.TrimPrefix(name, "v")
	for _, v := range Supported {
		if v.Name == name || v.Kubernetes == "v"+name {
			return v, nil
		}
	}
	v := Version{Name: name, Kubernetes: "v" + name}
	minor, patched := v.minor()
	newest, _ := Supported[0].minor()
	if minor < oldest || minor > newest || !patched {
		return Version{}, fmt.Errorf("Kubernetes %s is not supported; %s are", name, Names())
	}
	return v, nil
}

// Names lists the supported versions for people.
func Names() string {
	var names []string
	for _, v := range Supported {
		names = append(names, v.Name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// IsMain reports whether a version is the one that go.mod requires.
func (v Version) IsMain() bool { return v.Kubernetes == Main }

// IsPatch reports whether the name of a version has a patch level, as 1.35.0 has.
func (v Version) IsPatch() bool { return strings.Count(v.Name, ".") > 1 }

// minor returns 35 for v1.35.4, and whether there is a patch level. It returns 0 for what is not a version.
func (v Version) minor() (minor int, patched bool) {
	parts := strings.Split(strings.TrimPrefix(v.Kubernetes, "v"), ".")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != "1" {
		return 0, false
	}
	for _, part := range parts[1:] {
		if _, err := strconv.ParseUint(part, 10, 16); err != nil {
			return 0, false
		}
	}
	minor, _ = strconv.Atoi(parts[1])
	return minor, len(parts) == 3
}

// Tags are the build tags of a version, separated by commas.
func (v Version) Tags() string {
	minor, _ := v.minor()
	main, _ := Version{Kubernetes: Main}.minor()
	var tags []string
	for next := minor + 1; next <= main; next++ {
		tags = append(tags, fmt.Sprintf("kubernetes_before_1_%d", next))
	}
	for newer := main + 1; newer <= minor; newer++ {
		tags = append(tags, fmt.Sprintf("kubernetes_since_1_%d", newer))
	}
	return strings.Join(tags, ",")
}

// Folder is this folder, below that of the main module.
const Folder = "sim/toolchain/versions"

// ModuleFile is the path of a version's module file: the one that is kept in Folder if there is one, or one in the folder for
// generated files. The main version has none.
func (v Version) ModuleFile(generated string) string {
	if v.IsMain() {
		return ""
	}
	name := "kubernetes-" + v.Name + ".mod"
	for _, listed := range Supported {
		if listed == v {
			return filepath.Join(Folder, name)
		}
	}
	return filepath.Join(generated, name)
}
