package external

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// connected is the variable by which a program knows that kubestep starts it, and its host name. The connection has the file
// descriptors 3 and 4.
const connected = "KUBESTEP_EXTERNAL"

// grace is how long a program that is asked for its goroutines has to print them, in real time.
const grace = 2 * time.Second

// process is a process of the operating system. Only the goroutine outside of all bubbles uses it, except for output.
type process struct {
	cmd    *exec.Cmd
	in     *gob.Decoder
	out    *gob.Encoder
	buffer *bufio.Writer
	ends   []io.Closer
	// output is a file with what the program prints. Unlike a pipe, it has everything as soon as the program waits.
	output *os.File
	waited bool
}

// start starts a program that has the name of a controller.
func start(name string, options Options) (p *process, err error) {
	p = &process{cmd: exec.Command(options.Path, options.Args...)}
	p.cmd.Env = append([]string{connected + "=" + name}, options.Env...)
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.output, err = os.CreateTemp("", "kubestep-external-"); err != nil {
		return nil, err
	}
	p.ends = append(p.ends, p.output)
	_ = os.Remove(p.output.Name()) // the file has no name from now on, where the system allows that
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.ends = append(p.ends, ourOut)
	defer theirIn.Close()
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.ends = append(p.ends, ourIn)
	defer theirOut.Close()
	p.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	p.buffer = bufio.NewWriter(ourOut)
	p.in, p.out = gob.NewDecoder(bufio.NewReader(ourIn)), gob.NewEncoder(p.buffer)
	return p, p.cmd.Start()
}

// send adds a frame to those that the next exchange begins with.
func (p *process) send(frame any) {
	// The buffer keeps an error for the flush.
	_ = p.out.Encode(frame)
}

// exchange lets the program continue and returns what it did.
func (p *process) exchange(next resume, patience time.Duration) (done turn, err error) {
	outside(func() {
		var asked atomic.Bool
		impatient := time.AfterFunc(patience, func() {
			asked.Store(true)
			_ = p.cmd.Process.Signal(syscall.SIGQUIT) // Go prints all goroutines and exits
			time.AfterFunc(grace, func() { _ = p.cmd.Process.Kill() })
		})
		p.send(next)
		if err = p.buffer.Flush(); err == nil {
			err = p.in.Decode(&done)
		}
		impatient.Stop()
		switch {
		case err != nil && asked.Load():
			p.wait()
			said := p.said(0)
			err = &busyError{patience: patience, goroutines: busy(said), said: said}
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE):
			p.wait()
			err = &exitError{code: p.cmd.ProcessState.ExitCode(), problem: p.cmd.ProcessState.String(), said: p.said(0)}
		case err == nil && done.Version != frameVersion:
			err = fmt.Errorf("the program speaks version %d of the protocol, and kubestep version %d", done.Version, frameVersion)
		}
	})
	return done, err
}

// wait waits until the process has ended.
func (p *process) wait() {
	if !p.waited {
		p.waited = true
		_ = p.cmd.Wait()
	}
}

// kill ends the process.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	p.wait()
	p.close()
}

func (p *process) close() {
	for _, end := range p.ends {
		_ = end.Close()
	}
}

// saidMax bounds what is read of the output at once.
const saidMax = 256 << 10

// said is what the program printed since an offset.
func (p *process) said(from int64) string {
	text, _ := io.ReadAll(io.NewSectionReader(p.output, from, saidMax))
	return string(text)
}

// http makes a request for a RoundTripper.
func (r request) http(ctx context.Context) (*http.Request, error) {
	made, err := http.NewRequestWithContext(ctx, r.Method, r.URL, strings.NewReader(string(r.Body)))
	if err != nil {
		return nil, err
	}
	made.Header = r.Header
	if made.Header == nil {
		made.Header = http.Header{}
	}
	return made, nil
}
