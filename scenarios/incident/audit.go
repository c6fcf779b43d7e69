package incident

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/incident/auditlog"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// auditFlags are the flags about audit logs.
type auditFlags struct {
	logs         []string
	since, until string
}

func (f *auditFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.logs, "audit", nil,
		"make steps of the requests of users in the audit log `PATH`; may be repeated, for logs in several files")
	cmd.Flags().StringVar(&f.since, "since", "",
		"with --audit, take requests from this `INSTANT` on, in RFC 3339 (default: those whose results the dump does not have)")
	cmd.Flags().StringVar(&f.until, "until", "", "with --audit, take requests until this `INSTANT`")
}

// instant is an example.
const instant = "2026-11-20T10:00:00Z"

func (f *auditFlags) validate() error {
	for _, each := range []struct{ flag, value string }{{"--since", f.since}, {"--until", f.until}} {
		if each.value == "" {
			continue
		}
		if len(f.logs) == 0 {
			return cli.Usage(
				each.flag+" needs an audit log", "kubestep init --audit audit.log "+each.flag+" "+instant,
			)
		}
		if _, err := time.Parse(time.RFC3339, each.value); err != nil {
			message := fmt.Sprintf("%s %q is not an instant in RFC 3339", each.flag, each.value)
			return cli.Usage(message, each.flag+" "+instant)
		}
	}
	return nil
}

func (f *auditFlags) options(namespaces []string) auditlog.Options {
	options := auditlog.Options{Namespaces: namespaces}
	options.Since, _ = time.Parse(time.RFC3339, f.since) // validate has read them
	options.Until, _ = time.Parse(time.RFC3339, f.until)
	return options
}

// begin is when a scenario without a dump starts.
func (f *auditFlags) begin(log *auditlog.Log) time.Time {
	if since, err := time.Parse(time.RFC3339, f.since); err == nil {
		return since
	}
	return log.Begin()
}

// read reads the logs; nil without any.
func (f *auditFlags) read(streams cli.Streams) (*auditlog.Log, error) {
	if len(f.logs) == 0 {
		return nil, nil
	}
	log := auditlog.New()
	defer output.ShowLine(streams.Err, func(time.Duration) string {
		return fmt.Sprintf("%d MiB of audit logs, %d Events", log.Progress().Bytes.Load()>>20, log.Progress().Events.Load())
	})()
	for _, path := range f.logs {
		file, err := input.Open(path, input.AuditLog, input.Compressed)
		if err != nil {
			return nil, cli.InputError(err)
		}
		err = log.Read(filepath.Base(path), file)
		file.Close()
		var wrong *auditlog.Error
		if errors.As(err, &wrong) {
			return nil, cli.Usage(wrong.Message, wrong.Try)
		}
		if err != nil {
			return nil, err
		}
	}
	return log, nil
}
