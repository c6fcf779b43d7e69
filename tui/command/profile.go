package command

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli/profile"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// addProfile adds the flag for profiles to a command and all below it. The function that it returns ends the profile.
func addProfile(root *cobra.Command) (stop func() error) {
	var dir string
	root.PersistentFlags().StringVar(&dir, "profile", "",
		"write a CPU profile of each process to the directory `PATH`, for go tool pprof")
	shell.Directory(root.PersistentFlags(), "profile")
	end := func() error { return nil }
	before := root.PersistentPreRunE
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) (err error) {
		dir = cmp.Or(dir, profile.Directory())
		if err := before(cmd, args); err != nil || dir == "" {
			return err
		}
		end, err = profile.Start(dir)
		if err != nil {
			end = func() error { return nil }
		}
		return err
	}
	return func() error { return end() }
}
