package command

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/kubestep/kubestep/sim/engine"
)

// progressDelay is how long a run may take before its progress is shown.
const progressDelay = time.Second

// showProgress rewrites one line of a terminal while a long run is under way, and returns the function that
// ends and erases it. Nothing is shown where nobody looks, or where the trace itself scrolls by.
func showProgress(out io.Writer, progress *engine.Progress, horizon time.Duration) (stop func()) {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func() {}
	}
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
			virtual := time.Duration(progress.Virtual.Load()).Round(time.Second)
			fmt.Fprintf(out, "\r\x1b[Kvirtual %s of %s, %d steps", virtual, horizon, progress.Steps.Load())
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
