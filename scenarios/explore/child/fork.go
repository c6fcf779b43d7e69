package child

import (
	"os"
	"reflect"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/observe/digest"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// family is what a Server knows of the copies of its process. A job with a past runs until that is over. Then the process is copied, and
// the copy, the child, makes the future of the job, while the parent waits for its report. Of the jobs that follow, the parent makes a
// child for each that has the same past, and so makes the past only once.
//
// A run has the same trace hash in a child as from its start: see runner.RunOptions.LastFuture. Where a process cannot be copied, each job
// runs from its start.
type family struct {
	// progress and seed are those of the run.
	progress *engine.Progress
	seed     int64
	// isChild is set in a child, and elders are the processes of which it is a copy, the first one first.
	isChild bool
	elders  []int
	// holder is where a child that makes several runs writes the job that it leaves to its parent, and told are the states that jobs have
	// named to it. See branches.go.
	holder *os.File
	told   []digest.Digest
	// counted is the processor time of the process that answers already account for.
	counted time.Duration
	// answered means that the parent has answered the job that it ran, and all jobs with the same past, and held is the next one.
	answered bool
	held     *Job
}

// canFork reports whether the process may be copied while it makes a run. It shares files with its children, so not with upstream's
// kubelets, which have a folder, nor with controllers that are programs of their own.
func (s *Server) canFork() bool {
	return exact.CanFork() && len(s.Controllers) == 0 && !s.maker.Scenario.RunsKubelets()
}

// samePast reports whether a job has the past of another one, and differs from it in the seed of its future only.
func samePast(a, b Job) bool {
	a.Seed = b.Seed
	return !b.Past.IsZero() && reflect.DeepEqual(a, b)
}

// spent is the processor time since the last answer. Of a child it includes what its parent has used for it until the fork.
func (s *Server) spent() time.Duration {
	now := engine.ProcessorTime()
	spent := now - s.counted
	s.counted = now
	return max(spent, 0)
}
