package builds

import (
	"context"
	"slices"
	"strings"
)

// Flag is the flag that chooses the version.
const Flag = "kubernetes"

// Become replaces this process by the build of a version of Kubernetes, with the same arguments without Flag. It returns nil if this is
// that build, and an *Error if there is none.
func Become(ctx context.Context, version string, args []string) error {
	build, err := Find(ctx, version)
	if err != nil {
		return err
	}
	if own, err := self(); err != nil || own.Path == build.Path {
		return err
	}
	return become(build.Path, without(args))
}

// without leaves the flag out of arguments.
func without(args []string) (rest []string) {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--":
			return slices.Concat(rest, args[i:])
		case args[i] == "--"+Flag:
			i++
		case strings.HasPrefix(args[i], "--"+Flag+"="):
		default:
			rest = append(rest, args[i])
		}
	}
	return rest
}
