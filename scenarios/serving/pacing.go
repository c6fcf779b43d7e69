package serving

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/scenarios/serving/internal/running"
	"github.com/kubestep/kubestep/scenarios/serving/internal/session"
)

// pacing says when virtual time passes slower than asked, and when it keeps its pace again.
type pacing struct {
	// cluster is the name of the session.
	cluster string
	// slow means that it was said, and kept counts the looks since then that found nothing slow.
	slow bool
	kept int
}

const (
	// paceTick is how often serve looks at the pace, in real time.
	paceTick = time.Second
	// keptMin is how many looks in a row must find the pace kept until serve says so.
	keptMin = 10
)

// text is what there is to say about a look: nothing most of the time. slower is how many times slower than a speed time passes, 0 if it
// keeps its pace.
func (p *pacing) text(slower, speed float64) string {
	switch {
	case slower > 0 && !p.slow:
		p.slow, p.kept = true, 0
		return fmt.Sprintf("Warning: virtual time passes %s than speed %v asks\n  Try: kubestep step%s speed %v, or fewer watches\n",
			control.TimesSlower(slower), speed, p.flag(), possible(speed/slower))
	case slower > 0:
		p.kept = 0
	case p.slow:
		if p.kept++; p.kept < keptMin {
			return ""
		}
		p.slow = false
		if speed > 0 {
			return fmt.Sprintf("Virtual time keeps its pace again: speed %v\n", speed)
		}
	}
	return ""
}

// flag names the cluster if it has a name of its own.
func (p *pacing) flag() string {
	if p.cluster == running.Default {
		return ""
	}
	return " --name " + p.cluster
}

// possible is a speed below one that the machine can do, with one digit.
func possible(speed float64) float64 {
	unit := math.Pow10(int(math.Floor(math.Log10(speed))))
	if unit < 1 {
		return math.Floor(speed/unit) / math.Round(1/unit)
	}
	return math.Floor(speed/unit) * unit
}

// tellPace says on a stream what there is to say about the pace of a session, until stop is called.
func tellPace(to io.Writer, s *session.Session, cluster string) (stop func()) {
	done := make(chan struct{})
	go func() {
		p := &pacing{cluster: cluster}
		tick := time.NewTicker(paceTick)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-s.Door.Ended():
				return
			case <-tick.C:
			}
			_, pace := s.Door.Now()
			fmt.Fprint(to, p.text(s.Door.Slower(), pace.Speed))
		}
	}()
	return func() { close(done) }
}
