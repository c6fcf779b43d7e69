package builds

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Version is a version of Kubernetes. With Patch Any it stands for all patch versions of a minor one.
type Version struct{ Major, Minor, Patch int }

// Any is the Patch of a version such as 1.35.
const Any = -1

var form = regexp.MustCompile(`^v?(\d{1,3})\.(\d{1,4})(?:\.(\d{1,4}))?$`)

// Parse reads 1.35, 1.35.4 or v1.35.4.
func Parse(text string) (Version, error) {
	parts := form.FindStringSubmatch(text)
	if parts == nil {
		return Version{}, &Error{Message: fmt.Sprintf("%q is not a version of Kubernetes", text), Try: "1.35 or 1.35.4"}
	}
	// The expression allows digits only, and few of them.
	major, _ := strconv.Atoi(parts[1])
	minor, _ := strconv.Atoi(parts[2])
	version := Version{major, minor, Any}
	if parts[3] != "" {
		version.Patch, _ = strconv.Atoi(parts[3])
	}
	return version, nil
}

// String is the version without the v, as in the name of a build.
func (v Version) String() string {
	if v.Patch == Any {
		return fmt.Sprintf("%d.%d", v.Major, v.Minor)
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// Is reports whether a version is the wanted one, or a patch version of it.
func (v Version) Is(wanted Version) bool {
	return v.Major == wanted.Major && v.Minor == wanted.Minor && (wanted.Patch == Any || v.Patch == wanted.Patch)
}

// minor is the version without its patch.
func (v Version) minor() Version { return Version{v.Major, v.Minor, Any} }

// Compare orders versions; 1.35 is before 1.35.0.
func Compare(a, b Version) int {
	return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Patch, b.Patch))
}

// Error says what is wrong about a version, or the build of it, and what to do.
type Error struct{ Message, Try string }

// Error implements error.
func (e *Error) Error() string { return e.Message }
