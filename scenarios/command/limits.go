package command

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/limits"
)

// limitFlags are the flags for what a run may use.
type limitFlags struct {
	limits limits.Limits
	// maxMemory is limits.Memory as it was given.
	maxMemory string
	// untrusted runs the scenario in a sandbox.
	untrusted bool
}

// add adds the flags to a command.
func (f *limitFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.maxMemory, "max-memory", limits.DefaultMemory,
		"abort when the process exceeds this `SIZE`, such as 512Mi or 2Gi; 0 means no limit")
	cmd.Flags().DurationVar(&f.limits.Timeout, "timeout", 0,
		"abort when the run takes longer than this `DURATION` of real time, such as 30s; 0 means no limit")
	cmd.Flags().Int64Var(&f.limits.Records, "max-records", 0, "abort when the trace has this `NUMBER` of records; 0 means no limit")
	cmd.Flags().BoolVar(&f.untrusted, "untrusted", false,
		"run a scenario of somebody else: out of reach of files and the network (on Linux), and with limits")
}

// complete checks the flags, after setting those that --untrusted has values for.
func (f *limitFlags) complete(cmd *cobra.Command) error {
	if f.untrusted {
		f.distrust(cmd)
	}
	var err error
	if f.limits.Memory, err = parseMemory(f.maxMemory); err != nil {
		return err
	}
	if f.limits.Records < 0 {
		return &UsageError{fmt.Sprintf("--max-records %d is negative", f.limits.Records), "--max-records 1000000"}
	}
	if f.limits.Timeout < 0 {
		return &UsageError{fmt.Sprintf("--timeout %s is negative", f.limits.Timeout), "--timeout 30s"}
	}
	return nil
}

// args are the flags as arguments.
func (f *limitFlags) args() []string {
	args := []string{
		"--timeout", f.limits.Timeout.String(), "--max-memory", f.maxMemory, "--max-records", strconv.FormatInt(f.limits.Records, 10),
	}
	if f.untrusted {
		args = append(args, "--untrusted")
	}
	return args
}

// checkWork is the work that conditions may do; 0 means the default.
func (f *limitFlags) checkWork() uint64 {
	if f.untrusted {
		return untrustedCheckWork
	}
	return 0
}

// parseMemory reads the limit of --max-memory, in bytes; 0 is none.
func parseMemory(text string) (bytes int64, err error) {
	if bytes, err = limits.ParseMemory(text); err != nil {
		err = &UsageError{"--max-memory " + err.Error(), "--max-memory " + limits.DefaultMemory}
	}
	return bytes, err
}
