package sandbox

import (
	"cmp"
	"debug/elf"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Run runs a command in a sandbox and waits for it. It calls started as soon as the process runs.
func Run(cmd *exec.Cmd, started func(Enforced)) error {
	if null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0); err == nil {
		// exec.Cmd would open it on the restricted thread.
		defer null.Close()
		cmd.Stdin = cmp.Or[io.Reader](cmd.Stdin, null)
		cmd.Stdout, cmd.Stderr = cmp.Or[io.Writer](cmd.Stdout, null), cmp.Or[io.Writer](cmd.Stderr, null)
	}
	ended := make(chan error)
	go func() {
		// The process inherits the domain of the thread that starts it. The thread is not unlocked, so it ends with this
		// goroutine; until then it lives, since its end kills the process.
		runtime.LockOSThread()
		var enforced Enforced
		enforced.Files, enforced.TCP = restrict(cmd.Path)
		var err error
		if enforced.Network, err = start(cmd); err == nil {
			started(enforced)
			err = cmd.Wait()
		}
		ended <- err
	}()
	return <-ended
}

// start starts a command in a network namespace of its own, or without where the system does not allow that.
func start(cmd *exec.Cmd) (isolated bool, err error) {
	again := *cmd
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Pdeathsig: syscall.SIGKILL, Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
	}
	if err := cmd.Start(); err == nil {
		return true, nil
	}
	*cmd = again
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return false, cmd.Start()
}

// The rights that each version of Landlock can restrict (security/landlock/syscalls.c). A version of the kernel refuses
// those that it does not know.
const (
	rightsV1 = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	rightsV2 = rightsV1 | unix.LANDLOCK_ACCESS_FS_REFER
	rightsV3 = rightsV2 | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	rightsV5 = rightsV3 | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

	runs = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
)

// restrict puts the calling thread into a Landlock domain in which it may start one program, and reach no other file.
func restrict(program string) (files, tcp bool) {
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
		allow(int(fd), path)
	}
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

// allow lets a domain read and run what is at a path. What cannot be opened cannot be run either.
func allow(ruleset int, path string) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: runs, Parent_fd: int32(fd)}
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
