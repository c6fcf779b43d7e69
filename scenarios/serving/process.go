package serving

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/sim/process/lastwords"
)

// Process is kubestep serve in a process of its own. It ends its session when its standard input ends, and so when the process
// that started it is gone.
type Process struct {
	cmd   *exec.Cmd
	in    io.Closer
	ended chan struct{}

	mu       sync.Mutex
	out, err bytes.Buffer
}

// arguments are those with which serve serves a scenario, or without one a cluster of three nodes, until its standard input ends, however
// that comes.
func arguments(file string, flags ...string) []string {
	given := append([]string{"serve", "--until-eof"}, flags...)
	if file == "" {
		return given
	}
	return append(given, "--", file)
}

// Start serves a scenario, and returns when clients can connect. The error of a scenario or a flag that is wrong is a *child.Error.
func Start(file string, flags ...string) (*Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: exec.Command(self, arguments(file, flags...)...), ended: make(chan struct{})}
	p.cmd.Stderr, p.cmd.Env = writer{p, &p.err}, append(p.cmd.Environ(), lastwords.Wanted)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan struct{})
	go p.listen(out, ready)
	select {
	case <-ready:
		return p, nil
	case <-p.ended:
		return nil, child.LastWords(p.err.String(), p.cmd.ProcessState)
	}
}

// writer keeps what a process prints.
type writer struct {
	of *Process
	to *bytes.Buffer
}

// Write implements io.Writer.
func (w writer) Write(text []byte) (int, error) {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	return w.to.Write(text)
}

// listen reads what the process says until it ends. It is ready when it has said where it listens, to the last line of that.
func (p *Process) listen(out io.Reader, ready chan struct{}) {
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		switch {
		case err != nil:
			_ = p.cmd.Wait()
			close(p.ended)
			return
		case strings.HasPrefix(line, greetingEnd):
			close(ready)
			p.out.Reset()
		default:
			_, _ = writer{p, &p.out}.Write([]byte(line))
		}
	}
}

// patience is how long a session may take to end.
const patience = 10 * time.Second

// End ends the session as Ctrl-C does, and returns what serve says then.
func (p *Process) End() (said string) {
	_ = p.in.Close()
	select {
	case <-p.ended:
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String() + lastwords.Readable(p.err.String(), cli.ErrorText)
}
