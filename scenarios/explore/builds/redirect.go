package builds

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Flag is the flag that chooses the version.
const Flag = "kubernetes"

// AddFlag adds the flag to a command and all below it: before a command runs, the process becomes the build of the version,
// with the same arguments. args are those of the process. Commands that take several versions have a flag of their own,
// which hides this one.
func AddFlag(root *cobra.Command, args []string) {
	var wanted string
	root.PersistentFlags().StringVar(&wanted, Flag, "", "use the build for this `VERSION` of Kubernetes, such as 1.35")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if !root.PersistentFlags().Changed(Flag) {
			return nil
		}
		build, err := Find(cmd.Context(), wanted)
		if err != nil {
			return err
		}
		if own, err := self(); err != nil || own.Path == build.Path {
			return err
		}
		return become(build.Path, without(args))
	}
	if root.Context() == nil {
		root.SetContext(context.Background())
	}
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
