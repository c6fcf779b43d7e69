// Package oci is what runs in the containers of a simulation: Go functions that stand for programs. Images, containers, their processes and
// mounts are those of the Open Container Initiative, as far as a program notices them.
//
// A program in Go (Main) gets from its Process what a program of an operating system gets from the kernel: arguments, environment, standard
// input and output, the files of its container, signals, and the network of its Pod. It waits in virtual time, with package time or the
// methods of Process. Containers on the nodes of upstream's kubelet run it; a kubelet, its probes and its hooks see nothing but what they
// see of any program: output, answers at a port, and an exit code.
//
// A program may use no files and no network but those of its Process. The files are below a temporary folder of the node, in which the
// volumes are those that the kubelet has set up; nothing in a container leads out of it (Files).
package oci

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"path"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Main is a program: it returns its exit code. It has to return when the context of the process ends.
type Main func(*Process) int

// Process is one process of a container.
type Process struct {
	// Context ends when the process is killed.
	Context context.Context
	// Terminated is closed when the process gets SIGTERM, which ends no process by itself: the first one of a container ignores signals
	// that it has no handler for.
	Terminated <-chan struct{}
	// Args are the name of the program and its arguments.
	Args []string
	// Env is the environment, each variable as NAME=value.
	Env []string
	// Dir is the working directory.
	Dir            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Umask are the permissions that new files do not get.
	Umask fs.FileMode
	// Container is where it runs.
	Container *Container
}

// DefaultUmask is that of the processes of a container.
const DefaultUmask fs.FileMode = 0o022

// Container is what the processes of a container share.
type Container struct {
	// Pod is the Pod when the container was made, and Name the container's name in it.
	Pod  *corev1.Pod
	Name string
	// Hostname is the name of the Pod in its network, and Addresses are those of the Pod.
	Hostname  string
	Addresses []string
	// User and Group are the identifiers that its processes have, with those of other groups.
	User, Group int64
	Groups      []int64
	Files       *Files
	Network     Network
	// NewID draws a random number of a place, which is the same in each run.
	NewID func(place string) uint64
	// Kernel returns the text of a file of the kernel, such as one of the container's cgroup; nil means that there is none.
	Kernel func(name string) (text string, found bool)
	// Output and Errors are where the first process writes.
	Output, Errors io.Writer
}

// Network is the network of a Pod.
type Network interface {
	// Listen listens at a port of the addresses of the Pod. The error is EADDRINUSE if another process of the Pod does.
	Listen(port int32) (net.Listener, error)
	// Dial connects to an address of the cluster, HOST:PORT, where HOST is an address or a name of its DNS.
	Dial(ctx context.Context, address string) (net.Conn, error)
	// Lookup returns the addresses of a name in the DNS of the cluster, in the order of names of the resolver's search list.
	Lookup(name string) ([]string, error)
}

// Sleep waits in virtual time. It returns false if the process is killed first.
func (p *Process) Sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.Context.Done():
		return false
	case <-timer.C:
		return true
	}
}

// Pause gives way for a moment, so that virtual time passes in a loop that writes without an end. It returns false if the process is
// killed.
func (p *Process) Pause() bool { return p.Sleep(time.Millisecond) }

// Wait waits until the process is killed, or gets SIGTERM, for which it returns true.
func (p *Process) Wait() (terminated bool) {
	select {
	case <-p.Context.Done():
		return false
	case <-p.Terminated:
		return true
	}
}

// Getenv returns the value of an environment variable; the last one of a name counts. It is empty if there is none.
func (p *Process) Getenv(name string) (value string) {
	for _, variable := range p.Env {
		if known, text, _ := strings.Cut(variable, "="); known == name {
			value = text
		}
	}
	return value
}

// Silent returns the process without its errors.
func (p *Process) Silent() *Process {
	other := *p
	other.Stderr = io.Discard
	return &other
}

// Path returns a name of a file as an absolute one.
func (p *Process) Path(name string) string {
	if !path.IsAbs(name) {
		name = path.Join("/", p.Dir, name)
	}
	return path.Clean(name)
}

// Open opens a file, with the flags of package os, and with those of the permissions that the umask leaves if it makes one.
func (p *Process) Open(name string, flag int, perm fs.FileMode) (File, error) {
	full := p.Path(name)
	if known := p.device(full); known != nil {
		return known, nil
	}
	if p.Container.Kernel != nil {
		if text, found := p.Container.Kernel(full); found {
			return device{Reader: strings.NewReader(text), Writer: io.Discard}, nil
		}
	}
	return p.Container.Files.Open(full, flag, perm&^p.Umask)
}

// ReadFile reads a file as a whole.
func (p *Process) ReadFile(name string) ([]byte, error) {
	file, err := p.Open(name, 0, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// device is a file that is none of the disk; nil if the name is that of another one.
func (p *Process) device(name string) File {
	switch name {
	case "/dev/null":
		return device{Reader: strings.NewReader(""), Writer: io.Discard}
	case "/dev/zero":
		return device{Reader: zeros{}, Writer: io.Discard}
	case "/dev/stdin", "/proc/self/fd/0":
		return device{Reader: p.Stdin, Writer: io.Discard}
	case "/dev/stdout", "/proc/self/fd/1":
		return device{Reader: strings.NewReader(""), Writer: p.Stdout}
	case "/dev/stderr", "/proc/self/fd/2":
		return device{Reader: strings.NewReader(""), Writer: p.Stderr}
	case "/proc/1/fd/1":
		return device{Reader: strings.NewReader(""), Writer: p.Container.Output}
	case "/proc/1/fd/2":
		return device{Reader: strings.NewReader(""), Writer: p.Container.Errors}
	}
	return nil
}

// device is an open device.
type device struct {
	io.Reader
	io.Writer
}

// Close implements File. Other processes may use the device.
func (device) Close() error { return nil }

// zeros is what /dev/zero has.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Problem is what a program of an operating system says about an error of a file: the last part, without the operation and the name.
func Problem(err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	text := err.Error()
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Now is the virtual date.
func (p *Process) Now() time.Time { return time.Now() }

// GroupOf is the group of a file: that which the Pod's securityContext gives to its volumes, and root's otherwise.
func (p *Process) GroupOf(name string) int64 {
	context := p.Container.Pod.Spec.SecurityContext
	if context == nil || context.FSGroup == nil || p.Container.Files.MountOf(name).At == "/" {
		return 0
	}
	return *context.FSGroup
}
