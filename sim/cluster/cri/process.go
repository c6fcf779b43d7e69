package cri

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	utilexec "k8s.io/utils/exec"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// The processes of containers whose image has a program in Go. A container ends when its first process does, a moment later: whoever looks
// in the same instant sees it run, on whichever goroutine.

const (
	// moment is between the end of a process, or a line that it writes, and the time at which somebody sees that.
	moment = time.Millisecond
	// startMax is how long the first process takes to start, at most; the seed decides. So two processes do nothing in the same instant.
	startMax = 2 * time.Millisecond
	// memoryOfProcess is what a program in Go uses, in bytes.
	memoryOfProcess = 1 << 20
	// outputMax is how much of the output of a command a kubelet reads, as containerd.
	outputMax = 16 << 20
)

// processes are those of a container.
type processes struct {
	image     oci.Image
	container *oci.Container
	// ctx ends when they are killed, and terminated is closed by SIGTERM.
	ctx        context.Context
	kill       context.CancelFunc
	terminate  func()
	terminated chan struct{}
	// ended is closed after the first process.
	ended chan struct{}
	// first is the first process.
	first *oci.Process
}

// imageOf is what a container runs, if that is a program in Go. What the scenario says comes first.
func (r *Runtime) imageOf(c *container, scripted bool) (image oci.Image, found bool) {
	switch {
	case r.options.Go == nil:
		return image, false
	case c.program.Runs != nil:
		return *c.program.Runs, true
	case scripted || r.options.Image == nil:
		return image, false
	}
	return r.options.Image(c.config.GetImage().GetUserSpecifiedImage())
}

// prepare makes the processes of a container, before its start. They are nil if it runs no program in Go. scripted means that the scenario
// has a program for it.
func (r *Runtime) prepare(s *sandbox, c *container, scripted bool) error {
	image, found := r.imageOf(c, scripted)
	if !found {
		return nil
	}
	line := image.Line(c.config.GetCommand(), c.config.GetArgs())
	if len(line) == 0 {
		return status.Error(codes.InvalidArgument, "failed to create containerd container: no command specified")
	}
	meta := s.config.GetMetadata()
	of := &oci.Container{
		Pod: r.options.Pod(meta.GetNamespace(), meta.GetName()), Name: c.config.GetMetadata().GetName(), Hostname: s.config.GetHostname(),
		Output: &stream{r, c, "stdout", nil}, Errors: &stream{r, c, "stderr", nil},
		NewID: func(place string) uint64 { return r.number(c.id + "|" + place) },
	}
	of.Network = network{r, s, of}
	of.Kernel = func(name string) (string, bool) { return r.kernel(c, name) }
	if of.Pod == nil {
		return status.Error(codes.NotFound, "the Pod is gone")
	}
	if of.Hostname == "" {
		of.Hostname = r.options.Node
	}
	if s.address != "" {
		of.Addresses = []string{s.address}
	}
	security := c.config.GetLinux().GetSecurityContext()
	of.User, of.Group, of.Groups = security.GetRunAsUser().GetValue(), security.GetRunAsGroup().GetValue(), security.GetSupplementalGroups()
	var err error
	if of.Files, err = r.files(s, c, image); err != nil {
		return err
	}
	ctx, kill := context.WithCancel(r.options.Context)
	terminated := make(chan struct{})
	c.processes = &processes{
		image: image, container: of, ctx: ctx, kill: kill, terminated: terminated,
		terminate: sync.OnceFunc(func() { close(terminated) }), ended: make(chan struct{}),
	}
	c.processes.first = c.processes.process(line, c.environment(of), c.config.GetWorkingDir())
	c.program = Program{}
	c.processes.first.Stdout, c.processes.first.Stderr = of.Output, of.Errors
	return nil
}

// files makes the files of a container.
func (r *Runtime) files(s *sandbox, c *container, image oci.Image) (*oci.Files, error) {
	own := r.onMachine(filepath.Join(containersFolder, c.id))
	if err := os.MkdirAll(own, 0o755); err != nil {
		return nil, err
	}
	for _, name := range image.Files {
		if err := os.WriteFile(filepath.Join(own, name), nil, 0o700); err != nil {
			return nil, err
		}
	}
	var mounts []oci.Mount
	for _, m := range c.config.GetMounts() {
		folder := m.GetHostPath()
		if image := m.GetImage().GetImage(); image != "" {
			folder = filepath.Join("/run/images", reference(image)) // the content of images is not known: it is empty
		}
		from := r.mountedFrom(folder)
		if err := os.MkdirAll(from, 0o755); err != nil {
			if _, missing := os.Stat(from); missing != nil {
				return nil, err
			}
		}
		mounts = append(mounts, oci.Mount{
			At: filepath.Clean(m.GetContainerPath()), From: from, ReadOnly: m.GetReadonly(),
			Memory: r.memory[m.GetHostPath()],
		})
	}
	files, err := oci.NewFiles(own, c.config.GetLinux().GetSecurityContext().GetReadonlyRootfs(), mounts)
	if err != nil {
		return nil, err
	}
	var resolv strings.Builder
	dns := s.config.GetDnsConfig()
	if len(dns.GetSearches()) > 0 {
		fmt.Fprintf(&resolv, "search %s\n", strings.Join(dns.GetSearches(), " "))
	}
	for _, server := range dns.GetServers() {
		fmt.Fprintf(&resolv, "nameserver %s\n", server)
	}
	if len(dns.GetOptions()) > 0 {
		fmt.Fprintf(&resolv, "options %s\n", strings.Join(dns.GetOptions(), " "))
	}
	for name, text := range map[string]string{
		"resolv.conf": resolv.String(), "hostname": s.config.GetHostname() + "\n", "passwd": "root:x:0:0:root:/root:/bin/sh\n",
		"group": "root:x:0:\n",
	} {
		if err := os.WriteFile(filepath.Join(own, "etc", name), []byte(text), 0o600); err != nil {
			return nil, err
		}
		if err := os.Chmod(filepath.Join(own, "etc", name), 0o644); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// containersFolder is where the own files of containers are on a node.
const containersFolder = "/run/containers"

// environment is that of the processes of a container: the image's, and what the Pod says.
func (c *container) environment(of *oci.Container) []string {
	out := []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOSTNAME=" + of.Hostname}
	home := true
	for _, e := range c.config.GetEnvs() {
		out = append(out, e.GetKey()+"="+string(e.GetValue()))
		home = home && e.GetKey() != "HOME"
	}
	if home {
		out = append(out, "HOME="+map[bool]string{true: "/root", false: "/"}[of.User == 0])
	}
	return out
}

// process returns another process of the container.
func (p *processes) process(line, environment []string, dir string) *oci.Process {
	if dir == "" {
		dir = "/"
	}
	return &oci.Process{
		Context: p.ctx, Terminated: p.terminated, Args: line, Env: environment, Dir: dir, Stdin: strings.NewReader(""),
		Stdout: io.Discard, Stderr: io.Discard, Umask: oci.DefaultUmask, Container: p.container,
	}
}

// begin starts the first process of a container. The caller holds the lock.
func (r *Runtime) begin(c *container) {
	p := c.processes
	after := time.Duration(r.number("start|"+c.id)%uint64(startMax)) + 1
	r.options.Go(func() {
		code := codeKilled
		if sleep(p.ctx, after) == nil {
			code = run(p.image.Main, p.first)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		p.container.Output.(*stream).flush()
		p.container.Errors.(*stream).flush()
		reason := reasonCompleted
		if code != 0 {
			reason = reasonError
		}
		c.end(time.Now().Add(moment), int32(code), reason)
		r.closeListeners(c.sandbox, p.container)
		close(p.ended)
	})
}

// codeKilled is that of a process that never started.
const codeKilled = exitKilled

// run runs a process. A program that panics exits with 2, as programs in Go do.
func run(main oci.Main, p *oci.Process) (code int) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Fprintf(p.Stderr, "panic: %v\n\n%s", reason, debug.Stack())
			code = 2
		}
	}()
	return main(p) & 0xff
}

// killAt kills the processes at a time.
func (p *processes) killAt(at time.Time) {
	if wait := time.Until(at); wait > 0 {
		time.AfterFunc(wait, p.kill)
		return
	}
	p.kill()
}

// stopProcesses sends SIGTERM to the first process of a container, and SIGKILL after a time. The caller holds the lock, which is free
// meanwhile.
func (r *Runtime) stopProcesses(ctx context.Context, c *container, grace time.Duration) error {
	end := time.Now().Add(grace)
	c.processes.terminate()
	r.mu.Unlock()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	var err error
	select {
	case <-c.processes.ended:
	case <-timer.C:
	case <-ctx.Done():
		err = ctx.Err()
	}
	r.mu.Lock()
	if err != nil {
		return err
	}
	c.end(end, exitKilled, reasonError)
	wait := time.Until(c.ends)
	r.mu.Unlock()
	err = sleep(ctx, wait)
	r.mu.Lock()
	r.kills(c, end)
	return err
}

// execute runs a command in a container, and returns what it writes. The error of a command that takes too long is DeadlineExceeded.
func (r *Runtime) execute(ctx context.Context, c *container, command []string, timeout time.Duration) (stdout, stderr []byte, err error) {
	var out, errs limitedBuffer
	limited, cancel := ctx, context.CancelFunc(func() {})
	if timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, timeout)
	}
	defer cancel()
	code := r.run(limited, c, command, strings.NewReader(""), &out, &errs)
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil:
		err = status.Errorf(codes.DeadlineExceeded, "failed to exec in container: timeout %s exceeded: context deadline exceeded", timeout)
	case code != 0:
		err = utilexec.CodeExitError{Err: fmt.Errorf("command exited with %d", code), Code: code}
	}
	return out.Bytes(), errs.Bytes(), err
}

// run runs a command in a container until it ends, or ctx does.
func (r *Runtime) run(ctx context.Context, c *container, command []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	p := c.processes.process(command, c.processes.first.Env, c.config.GetWorkingDir())
	p.Stdin, p.Stdout, p.Stderr = stdin, stdout, stderr
	running, cancel := context.WithCancel(c.processes.ctx)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	p.Context, p.Terminated = running, nil
	done := make(chan int, 1)
	r.options.Go(func() { done <- run(c.processes.image.Main, p) })
	if code = <-done; running.Err() != nil {
		return exitKilled
	}
	return code
}

// Run runs a command in a container with a program in Go. found is false if the container has none. It takes virtual time, so who calls it
// is a part of the simulation.
func (r *Runtime) Run(
	ctx context.Context, id string, command []string, stdin io.Reader, stdout, stderr io.Writer,
) (code int, found bool, err error) {
	c, err := r.running(id)
	if err != nil || c.processes == nil || len(command) == 0 {
		return 0, false, err
	}
	if stdin == nil {
		stdin = strings.NewReader("")
	}
	return r.run(ctx, c, command, stdin, orNowhere(stdout), orNowhere(stderr)), true, nil
}

func orNowhere(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// limitedBuffer keeps the first bytes that are written.
type limitedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write implements io.Writer.
func (b *limitedBuffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Len() < outputMax {
		b.Buffer.Write(data)
	}
	return len(data), nil
}

// stream is what the processes of a container write to its log.
type stream struct {
	runtime   *Runtime
	container *container
	name      string
	// line is the beginning of a line.
	line []byte
}

// logMax is how many bytes a container prints; the rest is lost.
const logMax = 16 << 20

var errLog = errors.New("the log is full")

// Write implements io.Writer.
func (s *stream) Write(data []byte) (int, error) {
	s.runtime.mu.Lock()
	defer s.runtime.mu.Unlock()
	if s.container.logged += len(data); s.container.logged > logMax {
		return 0, errLog
	}
	for rest := data; len(rest) > 0; {
		at := bytes.IndexByte(rest, '\n')
		if at < 0 {
			s.line = append(s.line, rest...)
			break
		}
		s.line = append(s.line, rest[:at]...)
		rest = rest[at+1:]
		s.print(false)
	}
	return len(data), nil
}

// print prints the line. The caller holds the lock.
func (s *stream) print(open bool) {
	s.container.printed = append(s.container.printed, printed{time.Now(), s.name, string(s.line), open})
	s.line = nil
}

// flush prints a line without an end. The caller holds the lock.
func (s *stream) flush() {
	if len(s.line) > 0 {
		s.print(true)
	}
}
