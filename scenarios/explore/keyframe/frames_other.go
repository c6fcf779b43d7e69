//go:build !linux

package keyframe

import (
	"context"
	"io"
	"os/exec"
	"time"
)

// connection is that to a keyframe, of which there are none.
type connection struct{}

func (connection) end() {}

// Source is where the keyframes of a run come from.
type Source struct{}

// Ask asks a run for keyframes. Without any, the Source is nil.
func (*Frames) Ask(*exec.Cmd) *Source { return nil }

// Take adds the keyframe of a mark to others.
func (*Source) Take(*Frames, Mark, []byte) {}

// Close ends the connection to the run.
func (*Source) Close() {}

// Continue is not called.
func (*Frame) Continue(context.Context, time.Duration, []byte) (io.ReadCloser, *Source, error) {
	panic("keyframe: there are none")
}
