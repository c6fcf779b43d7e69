package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// look prints, in a sealed process, what it has got and what it may do.
func look() int {
	// Landlock hides /proc from the process; the test reads its status from outside.
	if err := Seal(Limits{Timeout: time.Minute, Memory: 64 << 20}); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("variables", strings.Join(os.Environ(), " "))
	for fd := 3; fd < 64; fd++ {
		var stat unix.Stat_t
		if err := unix.Fstat(fd, &stat); err == nil && stat.Mode&unix.S_IFMT == unix.S_IFREG {
			fmt.Println("file", fd)
		}
	}
	for _, try := range []struct {
		what string
		err  error
	}{
		{"socket", second(unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0))},
		{"unshare", unix.Unshare(unix.CLONE_NEWUSER)},
		{"ptrace", unix.PtraceAttach(os.Getppid())},
		{"execve", unix.Exec("/proc/self/exe", nil, nil)},
		{"signal", unix.Kill(1<<22-1, 0)},
		{"keyctl", second(unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, false))},
		{"fork", second(syscall.ForkExec(os.Args[0], nil, nil))},
	} {
		fmt.Println(try.what, errors.Is(try.err, unix.EPERM))
	}
	for _, limit := range []int{unix.RLIMIT_CORE, unix.RLIMIT_NOFILE, unix.RLIMIT_DATA, unix.RLIMIT_CPU} {
		var now unix.Rlimit
		_ = unix.Getrlimit(limit, &now)
		fmt.Println("limit", limit, now.Max)
	}
	time.Sleep(time.Hour)
	return 0
}

func second[T any](_ T, err error) error { return err }

// started runs this test binary in a sandbox, and waits until it has printed a line with some text.
func started(t *testing.T, do, until string, options Options) (cmd *exec.Cmd, out *lines, ended chan error) {
	t.Helper()
	cmd, out, ended = exec.Command(os.Args[0]), &lines{seen: make(chan struct{}), until: until}, make(chan error, 1)
	cmd.Env = append(Environment(), "SANDBOX_DO="+do)
	cmd.Stdout, cmd.Stderr = out, out
	options.Started = func(Enforced) {}
	go func() { ended <- Run(cmd, options) }()
	if until == "" {
		return cmd, out, ended
	}
	select {
	case <-out.seen:
	case err := <-ended:
		t.Fatalf("it ended: %v\n%s", err, out.text.String())
	case <-time.After(time.Minute):
		t.Fatalf("it prints nothing\n%s", out.text.String())
	}
	return cmd, out, ended
}

// lines is an output that is closed to others until some text was written.
type lines struct {
	text  strings.Builder
	until string
	seen  chan struct{}
	done  bool
}

func (l *lines) Write(p []byte) (int, error) {
	l.text.Write(p)
	if !l.done && l.until != "" && strings.Contains(l.text.String(), l.until) {
		l.done = true
		close(l.seen)
	}
	return len(p), nil
}

// TestRunEndsAStoppedProcess ends a process that cannot keep its own clock, and one that takes more memory than it should.
func TestRunEndsAStoppedProcess(t *testing.T) {
	cmd, _, ended := started(t, "sleep", "up", Options{Limits: Limits{Timeout: 100 * time.Millisecond}})
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	wait(t, ended, "--timeout")
	_, _, ended = started(t, "grow", "", Options{Limits: Limits{Memory: 64 << 20}})
	wait(t, ended, "--max-memory")
}

func wait(t *testing.T, ended chan error, flag string) {
	t.Helper()
	select {
	case err := <-ended:
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Flag != flag {
			t.Errorf("it ended with %v, want the limit of %s", err, flag)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("it does not end")
	}
}

// TestSealedProcess holds what a sealed process gets and may do: no variable and no file that it was not given, no new process, no
// connection, and limits of the kernel.
func TestSealedProcess(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	// A file without close-on-exec, as of exec 9<FILE in the shell that started this process.
	inherited, err := unix.Open(os.Args[0], unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(inherited)
	cmd, out, ended := started(t, "look", fmt.Sprintf("limit %d ", unix.RLIMIT_CPU), Options{})
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	text := out.text.String()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	if !strings.Contains(string(status), "Seccomp:\t2\n") || !strings.Contains(string(status), "NoNewPrivs:\t1\n") {
		t.Errorf("no filter of system calls:\n%s", status)
	}
	for _, never := range []string{"AWS_SECRET", "file ", "false"} {
		if strings.Contains(text, never) {
			t.Errorf("%q is in\n%s", never, text)
		}
	}
	core, files := fmt.Sprintln("limit", unix.RLIMIT_CORE, 0), fmt.Sprintln("limit", unix.RLIMIT_NOFILE, filesMax)
	for _, want := range []string{"variables ", "socket true", "fork true", core, files} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// TestRequire refuses to start a process where a part of the sandbox is missing, and says which.
func TestRequire(t *testing.T) {
	defer func() { lacking.landlock, lacking.namespaces, lacking.filter = false, false, false }()
	for _, c := range []struct {
		lack *bool
		want string
	}{
		{&lacking.landlock, "this system cannot keep a process from files"},
		{&lacking.filter, "this system cannot keep a process from system calls that it does not need"},
		{&lacking.namespaces, "this system cannot keep a process from the network"},
	} {
		lacking.landlock, lacking.namespaces, lacking.filter = false, false, false
		*c.lack = true
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(Environment(), "SANDBOX_DO=look")
		err := Run(cmd, Options{Require: true, Started: func(Enforced) { t.Error("it was started") }})
		var unavailable *UnavailableError
		if !errors.As(err, &unavailable) || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
