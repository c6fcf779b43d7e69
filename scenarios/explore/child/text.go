package child

import (
	"context"
	"errors"
	"os"
	"syscall"

	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/sim/recording"
)

// RecordText is Record for a scenario that is in no file, such as that of a branch. It is in one while it runs.
func (r Run) RecordText(ctx context.Context, text []byte, origin recording.Origin, progress func(Progress)) (*recording.Recording, error) {
	file, err := os.CreateTemp("", "kubestep-branch-*.yaml")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	// A terminal that is closed ends the process before that.
	defer interrupt.Cleanup(func() { os.Remove(file.Name()) }, syscall.SIGHUP)()
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	r.File = file.Name()
	return r.Record(ctx, origin, progress)
}
