package cri

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Line is what a program prints, one line or several.
type Line struct {
	Text string
	// At is when, from the start of its container. Every is how long after that again; 0 for once.
	At, Every Range
	// Until is from when on it is not printed any more; 0 means until the end.
	Until Range
}

// times are those from a time on, before another one, both since the start of the container. Those of the line are drawn.
func (l Line) times(from, before time.Duration) (all []time.Duration) {
	at, every, until := l.At.Min, l.Every.Min, l.Until.Min
	if until > 0 {
		before = min(before, until)
	}
	if every > 0 && at < from {
		at += (from - at + every - 1) / every * every
	}
	for ; at < before; at += every {
		if at >= from {
			all = append(all, at)
		}
		if every == 0 {
			break
		}
	}
	return all
}

// printed is a line at the time at which it was printed.
type printed struct {
	at           time.Time
	stream, text string
	// open means that the line has no end.
	open bool
}

// prints is what the container prints from a time on, and before another one. Lines of one instant are in the order of its program.
func (c *container) prints(from, before time.Time) (all []printed) {
	if c.started.IsZero() {
		return nil
	}
	if !c.ends.IsZero() && before.After(c.ends) {
		before = c.ends.Add(1) // its last line is printed when it ends
	}
	for _, l := range c.program.Prints {
		for _, at := range l.times(from.Sub(c.started), before.Sub(c.started)) {
			for line := range strings.Lines(l.Text) {
				all = append(all, printed{at: c.started.Add(at), stream: "stdout", text: strings.TrimSuffix(line, "\n")})
			}
		}
	}
	for _, line := range c.printed {
		if !line.at.Before(from) && line.at.Before(before) {
			all = append(all, line)
		}
	}
	slices.SortStableFunc(all, func(a, b printed) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
	return all
}

// timeFormat is that of containerd in logs: RFC 3339, with nine digits of a second.
const timeFormat = "2006-01-02T15:04:05.000000000Z07:00"

// What the lines of a log are: complete, or the first part of one.
const (
	tagFull    = "F"
	tagPartial = "P"
)

// write appends what a container has printed since the last time to its log, in the format that a kubelet reads. Nobody needs the file but
// who reads it, so it is written when somebody asks for the container, as a kubelet does before it reads a log, measures it or rotates it.
func (r *Runtime) write(c *container) error {
	path := r.logPath(c)
	if path == "" || c.started.IsZero() {
		return nil
	}
	next := time.Now().Add(1)
	if c.processes != nil {
		next = time.Now() // what they print in this instant is seen later
	}
	lines := c.prints(c.written, next)
	if len(lines) == 0 && !c.written.IsZero() {
		return nil
	}
	file, err := os.OpenFile(r.onMachine(path), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the kubelet has removed the folder
	}
	if err != nil {
		return err
	}
	defer file.Close()
	var text strings.Builder
	for _, l := range lines {
		tag := tagFull
		if l.open {
			tag = tagPartial
		}
		fmt.Fprintf(&text, "%s %s %s %s\n", l.at.UTC().Format(timeFormat), l.stream, tag, l.text)
	}
	if _, err = file.WriteString(text.String()); err == nil {
		c.written = next
		c.printed = slices.DeleteFunc(c.printed, func(l printed) bool { return l.at.Before(next) })
	}
	return err
}
