package sandbox

import (
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Run runs a command in a sandbox and waits for it. The error is an *UnavailableError if the sandbox is required and not there, a
// *LimitError if the process did not keep its limits, or that of exec.Cmd.Wait.
func Run(cmd *exec.Cmd, options Options) error {
	prepare(cmd)
	if err := closeOnExec(); err != nil {
		return fmt.Errorf("closing the files that this process has inherited: %w", err)
	}
	if null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0); err == nil {
		// exec.Cmd would open it on the restricted thread.
		defer null.Close()
		cmd.Stdin = cmp.Or[io.Reader](cmd.Stdin, null)
		cmd.Stdout, cmd.Stderr = cmp.Or[io.Writer](cmd.Stdout, null), cmp.Or[io.Writer](cmd.Stderr, null)
	}
	folder, remove, err := temporary(cmd)
	if err != nil {
		return err
	}
	defer remove()
	ended := make(chan error)
	go func() {
		// The process inherits the domain of the thread that starts it. The thread is not unlocked, so it ends with this
		// goroutine; until then it lives, since its end kills the process.
		runtime.LockOSThread()
		var enforced Enforced
		enforced.Files, enforced.TCP = restrict(cmd.Path, folder)
		enforced.Calls = filterCalls()
		without(&enforced)
		if options.Require && !(enforced.Files && enforced.Calls) {
			// Whether there are namespaces is found out by starting the process.
			ended <- &UnavailableError{Enforced{Files: enforced.Files, Calls: enforced.Calls, Network: true}.Missing()}
			return
		}
		var err error
		if enforced.Network, err = start(cmd, options.Require); err != nil {
			ended <- err
			return
		}
		without(&enforced)
		options.Started(enforced)
		stop := options.Limits.watch(cmd.Process, folder)
		err = cmd.Wait()
		ended <- cmp.Or(stop(), err)
	}()
	return <-ended
}

// start starts a command in namespaces of its own for the network, processes and System V IPC, or without where the system does not
// allow that and they are not required.
func start(cmd *exec.Cmd, require bool) (isolated bool, err error) {
	again := *cmd
	const isolation = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
	for _, flags := range []uintptr{isolation, syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET, 0} {
		if flags == 0 && require {
			return false, &UnavailableError{"the network"}
		}
		if lacking.namespaces && flags != 0 {
			continue
		}
		*cmd = again
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Cloneflags: flags}
		if err = cmd.Start(); err == nil {
			return flags != 0, nil
		}
	}
	return false, err
}

// lacking lets a test take parts of the sandbox away.
var lacking struct{ landlock, namespaces, filter bool }

func without(e *Enforced) {
	if lacking.landlock {
		e.Files, e.TCP = false, false
	}
	if lacking.filter {
		e.Calls = false
	}
}

// closeOnExec keeps files that this process got from the one that started it, as by exec 9<FILE in a shell, from those that this one
// starts. What a command is given is passed by exec.Cmd.
func closeOnExec() error {
	const first = 3
	if err := unix.CloseRange(first, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC); err == nil {
		return nil
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, entry := range open {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd >= first {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}

// resident is the memory that a process holds, in bytes; 0 if it is gone.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// The rights that each version of Landlock can restrict (security/landlock/syscalls.c). A version of the kernel refuses
// those that it does not know.
const (
	rightsV1 = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	rightsV2 = rightsV1 | unix.LANDLOCK_ACCESS_FS_REFER
	rightsV3 = rightsV2 | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	rightsV5 = rightsV3 | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

	runs = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	// uses are the rights to a device that keeps nothing, and keeps those to files and folders of the process's own: no programs, devices,
	// sockets or pipes.
	uses  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	keeps = uses | unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SYM |
		unix.LANDLOCK_ACCESS_FS_REFER
)

// restrict puts the calling thread into a Landlock domain in which it may start one program, keep files in a folder, and reach no
// other file.
func restrict(program, folder string) (files, tcp bool) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 || version < 1 {
		return false, false
	}
	attr, size := ruleset(int(version))
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return false, false
	}
	defer unix.Close(int(fd))
	for _, path := range needed(program) {
		allow(int(fd), path, runs)
	}
	allow(int(fd), folder, keeps&attr.Access_fs)
	allow(int(fd), os.DevNull, uses&attr.Access_fs)
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		return false, false
	}
	_, _, errno = unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0)
	return errno == 0, errno == 0 && attr.Access_net != 0
}

// ruleset is all that a version can restrict, and the size of the struct that it knows.
func ruleset(version int) (attr unix.LandlockRulesetAttr, size uintptr) {
	size = unsafe.Sizeof(attr.Access_fs)
	switch {
	case version >= 5:
		attr.Access_fs = rightsV5
	case version >= 3:
		attr.Access_fs = rightsV3
	case version >= 2:
		attr.Access_fs = rightsV2
	default:
		attr.Access_fs = rightsV1
	}
	if version >= 4 {
		attr.Access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size += unsafe.Sizeof(attr.Access_net)
	}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size += unsafe.Sizeof(attr.Scoped)
	}
	return attr, size
}

// allow gives a domain rights to what is at a path. What cannot be opened cannot be used either.
func allow(ruleset int, path string, rights uint64) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, _ = unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
}

// needed is what the kernel and the dynamic linker read to start a program: the program, and its libraries if it is not
// static.
func needed(program string) []string {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	file, err := elf.Open(program)
	if err != nil {
		return []string{program}
	}
	defer file.Close()
	linked, err := file.ImportedLibraries()
	if err != nil || len(linked) == 0 {
		return []string{program}
	}
	paths := []string{program, "/etc/ld.so.cache", "/lib", "/lib64", "/usr/lib", "/usr/lib64"}
	if _, err := os.Stat("/nix/store"); err == nil {
		paths = append(paths, "/nix/store")
	}
	return paths
}
