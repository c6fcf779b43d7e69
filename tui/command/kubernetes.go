package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/explore/builds"
)

// addKubernetes adds the flag that chooses the version of Kubernetes to a command and all below it: before a command runs, the process
// becomes the build of the version, with the same arguments. args are those of the process. Commands that take several versions have a
// flag of their own, which hides this one; one version of a versionList is this flag.
func addKubernetes(root *cobra.Command, args []string) {
	var wanted string
	root.PersistentFlags().StringVar(&wanted, builds.Flag, "", "use the build for this `VERSION` of Kubernetes, such as 1.35")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if list, ok := cmd.Flag(builds.Flag).Value.(*versionList); ok && len(*list) == 1 {
			return builds.Become(cmd.Context(), (*list)[0], args)
		}
		if !root.PersistentFlags().Changed(builds.Flag) {
			return nil
		}
		return builds.Become(cmd.Context(), wanted, args)
	}
	if root.Context() == nil {
		root.SetContext(context.Background())
	}
}
