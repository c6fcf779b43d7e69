package incident

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/incident/auditlog"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// begin is when a scenario without a dump starts.
func (o *Options) begin(log *auditlog.Log) time.Time {
	if !o.Since.IsZero() {
		return o.Since
	}
	return log.Begin()
}

// read reads the logs; nil without any.
func (o *Options) read(streams cli.Streams) (*auditlog.Log, error) {
	if len(o.Logs) == 0 {
		return nil, nil
	}
	log := auditlog.New()
	defer output.ShowLine(streams.Err, func(time.Duration) string {
		return fmt.Sprintf("%d MiB of audit logs, %d Events", log.Progress().Bytes.Load()>>20, log.Progress().Events.Load())
	})()
	for _, path := range o.Logs {
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
