package keyframe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// connection is a socket that only this process and a keyframe have: the keyframe ends when this end is closed.
type connection int

func (c connection) end() { _ = unix.Close(int(c)) }

// Source is where the keyframes of a run come from.
type Source struct{ control int }

// Ask asks a run, whose process has not been started yet, for keyframes. Without any, the Source is nil.
func (f *Frames) Ask(cmd *exec.Cmd) *Source {
	if !exact.CanFork() {
		return nil
	}
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	// The descriptors of ExtraFiles begin behind standard input, output and error.
	cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d %d", variable, 3+len(cmd.ExtraFiles), f.Memory))
	cmd.ExtraFiles = append(cmd.ExtraFiles, os.NewFile(uintptr(ends[1]), "keyframes"))
	return &Source{control: ends[0]}
}

// Take adds the keyframe of a mark to others. The run has sent it before the mark. hash is the state of the hash of the records.
func (s *Source) Take(to *Frames, mark Mark, hash []byte) {
	for {
		number, fds, err := receive(s.control, unix.MSG_DONTWAIT)
		if err != nil || len(fds) != 1 {
			closeAll(fds)
			return
		}
		if number == mark.Number {
			to.add(&Frame{Mark: mark, Hash: hash, conn: connection(fds[0])})
			return
		}
		// The process could not be copied at that time.
		closeAll(fds)
	}
}

// Close ends the connection to the run. Its keyframes stay.
func (s *Source) Close() {
	if s != nil {
		_ = unix.Close(s.control)
	}
}

// Continue makes the rest of a run that is the same as that of the keyframe until a time, and that of another scenario from then on.
// scenario is the text of its file. It returns the stream of what happens behind the keyframe: an end without an outcome means that the
// scenario has another past. When the stream is closed, and when the context ends, the run ends. One more keyframe comes from the Source,
// at that time.
func (f *Frame) Continue(ctx context.Context, until time.Duration, scenario []byte) (io.ReadCloser, *Source, error) {
	text, err := unix.MemfdCreate("scenario", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, nil, err
	}
	defer unix.Close(text)
	for rest := scenario; len(rest) > 0; {
		n, err := unix.Write(text, rest)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return nil, nil, err
		}
		rest = rest[max(n, 0):]
	}
	control, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	defer unix.Close(control[1])
	source := &Source{control: control[0]}
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		source.Close()
		return nil, nil, err
	}
	defer unix.Close(ends[1])
	// Only this end: the run waits until the records are read.
	err = unix.SetNonblock(ends[0], true)
	stream := os.NewFile(uintptr(ends[0]), "branch")
	if err = errors.Join(err, send(int(f.conn), int(until), text, ends[1], control[1])); err != nil {
		_ = stream.Close()
		source.Close()
		return nil, nil, fmt.Errorf("a keyframe: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = stream.Close() })
	return &branch{stream, stop}, source, nil
}

// branch is the stream of a run that continues from a keyframe.
type branch struct {
	*os.File
	forget func() bool
}

// Close implements io.Closer.
func (b *branch) Close() error {
	b.forget()
	return b.File.Close()
}

// send sends a number and descriptors over a socket. It does not wait until there is room for them: EAGAIN.
func send(socket, number int, fds ...int) error {
	for {
		err := unix.Sendmsg(socket, []byte(strconv.Itoa(number)), unix.UnixRights(fds...), nil, unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// receive receives what send sends. The end of the connection is io.EOF.
func receive(socket, flags int) (number int, fds []int, err error) {
	message, control := make([]byte, 32), make([]byte, unix.CmsgSpace(3*4))
	var n, m int
	for {
		n, m, _, _, err = unix.Recvmsg(socket, message, control, flags|unix.MSG_CMSG_CLOEXEC)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	switch {
	case err != nil:
		return 0, nil, err
	case n <= 0:
		return 0, nil, io.EOF
	}
	parts, err := unix.ParseSocketControlMessage(control[:m])
	for _, part := range parts {
		more, _ := unix.ParseUnixRights(&part)
		fds = append(fds, more...)
	}
	if err == nil {
		number, err = strconv.Atoi(string(message[:n]))
	}
	return number, fds, err
}

func closeAll(fds []int) {
	for _, fd := range fds {
		_ = unix.Close(fd)
	}
}
