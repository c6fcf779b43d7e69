package practice

import (
	"context"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/runner/task"
	"github.com/kubestep/kubestep/scenarios/serving"
)

// How long another process may take to end its cluster, and how often one looks whether it has.
const (
	endsWithin = 20 * time.Second
	looksEvery = 100 * time.Millisecond
)

// Reset ends the cluster of a task that runs in another process, and starts the task again in this one, as Start does.
func Reset(ctx context.Context, streams cli.Streams, options serving.Options) error {
	client, err := serving.ConnectNamed(options.Name)
	if err != nil {
		return err
	}
	session, _, err := client.About(ctx)
	if err != nil {
		return serving.Lost(err)
	}
	again, err := task.Find(session.Name)
	if err != nil {
		return err
	}
	if _, err := client.Move(ctx, "end", ""); err != nil {
		return serving.Lost(err)
	}
	for late := time.After(endsWithin); slices.Contains(serving.ClusterNames(), options.Name); {
		select {
		case <-late:
			return cli.Usage("the cluster "+options.Name+" does not end", "Ctrl-C in its terminal")
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(looksEvery):
		}
	}
	return Start(streams, again.Name(), options)
}
