package output

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// progressDelay is how long a run may take before its progress is shown.
const progressDelay = time.Second

// ShowProgress shows how far a long run is, and returns the function that ends and erases it.
func ShowProgress(out io.Writer, progress *engine.Progress, horizon time.Duration) (stop func()) {
	return ShowLine(out, func(time.Duration) string {
		virtual := time.Duration(progress.Virtual.Load()).Round(time.Second)
		return fmt.Sprintf("virtual %s of %s, %d events", virtual, horizon, progress.Events.Load())
	})
}

// ShowLine rewrites one line of a terminal while something long is under way, and returns the function that
// ends and erases it. Nothing is shown without a terminal, or where the trace itself scrolls by.
func ShowLine(out io.Writer, text func(elapsed time.Duration) string) (stop func()) {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func() {}
	}
	return rewriteLine(out, text)
}

// rewriteLine is ShowLine on a terminal.
func rewriteLine(out io.Writer, text func(elapsed time.Duration) string) (stop func()) {
	elapsed := Stopwatch()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-done:
			return
		case <-time.After(progressDelay):
		}
		tick := time.NewTicker(progressDelay / 5)
		defer tick.Stop()
		for {
			fmt.Fprint(out, "\r\x1b[K"+visible.Line(text(elapsed())))
			select {
			case <-done:
				fmt.Fprint(out, "\r\x1b[K")
				return
			case <-tick.C:
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// Stopwatch tells the real time since it was called.
func Stopwatch() (elapsed func() time.Duration) {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
