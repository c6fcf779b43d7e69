package recording

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Counts are the numbers of a Job that decide whether it continues.
type Counts struct {
	Active, Parallelism    int
	Succeeded, Completions int
	Failed, BackoffLimit   int
	// Indexed Jobs have a position for each completion; their cells are indexes, not Pods.
	Indexed bool
	// Due is when the controller syncs the Job again by its own timer, 0 if it only waits for an event.
	Due time.Duration
}

// job lists the Pods in the order of their creation, including those that ended.
func (w *Workload) job(s *State, object map[string]any, seq int64, now time.Duration) {
	c := Counts{
		Active: number(object, 0, "status", "active"), Parallelism: number(object, 1, "spec", "parallelism"),
		Succeeded: number(object, 0, "status", "succeeded"), Completions: number(object, 0, "spec", "completions"),
		Failed: number(object, 0, "status", "failed"), BackoffLimit: number(object, 6, "spec", "backoffLimit"),
		Indexed: text(object, "spec", "completionMode") == "Indexed",
	}
	s.Replicas = max(c.Completions, 1)
	g := w.group(w.life, object, seq, now)
	slices.SortStableFunc(g.Cells, func(a, b Cell) int { return cmp.Compare(a.born, b.born) })
	g.Spec, g.Actual, g.Ready, g.New = c.Parallelism, c.Active, number(object, 0, "status", "ready"), true
	if c.Indexed {
		g.Cells = w.indexes(g.Cells, object, c.Completions, seq)
	}
	s.Groups = []Group{g}
	s.Facts = []string{fmt.Sprintf("parallelism %d", c.Parallelism), fmt.Sprintf("backoffLimit %d", c.BackoffLimit)}
	if c.Indexed {
		s.Facts = append(s.Facts, "Indexed")
	}
	s.Paused, _ = field(object, "spec", "suspend").(bool)
	c.Due, _ = w.rec.Due("job-controller", w.Object.Namespace+"/"+w.Object.Name, seq)
	s.Job = &c
}

// indexes assigns the newest Pod of each index to its position. What the status has counted is kept, even when the Pod
// is gone.
func (w *Workload) indexes(pods []Cell, object map[string]any, completions int, seq int64) []Cell {
	cells := make([]Cell, completions)
	for _, pod := range pods {
		index := text(w.replay.ObjectAt(pod.Pod, seq), "metadata", "annotations", "batch.kubernetes.io/job-completion-index")
		if i, err := strconv.Atoi(index); err == nil && i < completions {
			cells[i] = pod
		}
	}
	for i := range cells {
		cells[i].Place = strconv.Itoa(i)
	}
	for phase, list := range map[Phase]string{
		Succeeded: text(object, "status", "completedIndexes"), Failed: text(object, "status", "failedIndexes"),
	} {
		for _, i := range ranges(list, completions) {
			cells[i].Phase = phase
		}
	}
	return cells
}

// ranges parses a list of indexes in the format of a Job's status: 0-2,5.
func ranges(list string, below int) []int {
	var out []int
	for part := range strings.SplitSeq(list, ",") {
		first, last, several := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if several && err == nil {
			to, err = strconv.Atoi(last)
		}
		for i := from; err == nil && i <= to && i < below; i++ {
			out = append(out, i)
		}
	}
	return out
}
