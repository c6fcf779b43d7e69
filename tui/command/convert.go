package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

func newConvert(streams cli.Streams) *cobra.Command {
	force := false
	cmd := &cobra.Command{
		Use:   "convert TRACE [FILE]",
		Short: "Convert a trace between JSON lines and a compressed archive, and check it",
		Long: `Convert a trace between JSON lines and a compressed archive, and check it.

TRACE is a trace that kubestep run wrote (-o jsonl, --trace-out), in either form. FILE is written as an archive
if its name ends in .kst, and as JSON lines otherwise; without FILE, the JSON lines go to standard output. An
archive is about 15 times smaller, and also stores checksums and the scenario, the seed and the versions of the
run. Both forms contain the same lines, so the trace hash is the same.

The command checks all of TRACE: the checksums and the index of an archive, and the numbers, times and causes of
all records. It writes FILE only if they are valid.`,
		Example: `  kubestep convert trace.jsonl trace.kst
  kubestep convert trace.kst | jq 'select(.request.code == 409)'
  kubestep convert trace.kst | sha256sum`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usage("convert takes a trace and the file to write", "kubestep convert trace.jsonl trace.kst")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return convert(streams, args[0], tracefile.Lines(streams.Raw()))
			}
			return convertFile(streams, args[0], args[1], force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is not a trace")
	return cmd
}

// convertFile writes a file that is complete or not there. It may have what its source has: if only the owner can read that one, only
// the owner can read the new one.
func convertFile(streams cli.Streams, from, to string, force bool) error {
	in, err := tracefile.Open(from)
	if err != nil {
		return cli.InputError(err)
	}
	defer in.Close()
	rights := output.Traces(force)
	rights.Private = in.Private
	file, err := createTraceFile(to, rights)
	if err != nil {
		return err
	}
	defer file.Discard()
	form := tracefile.Lines(file.Writer())
	if strings.HasSuffix(to, archive.Suffix) {
		form = tracefile.Archive(file.Writer(), filepath.Base(from))
	}
	if err := convertFrom(streams, in, from, form); err != nil {
		return err
	}
	return file.Commit()
}

// convert reads a trace from its beginning to its end.
func convert(streams cli.Streams, path string, to tracefile.Form) error {
	in, err := tracefile.Open(path)
	if err != nil {
		return cli.InputError(err)
	}
	defer in.Close()
	return convertFrom(streams, in, path, to)
}

func convertFrom(streams cli.Streams, in *input.File, path string, to tracefile.Form) error {
	defer output.ShowReading(streams.Err, in)()
	err := tracefile.Convert(in, to)
	var lost *tracefile.WriteError
	switch {
	case errors.As(err, &lost):
		return cli.OutputError("", lost.Err)
	case err != nil:
		return cli.TraceError(fmt.Errorf("%s: %w", path, err))
	}
	return nil
}
