//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are the system calls that a run never needs: other processes, mounts, modules, keys, clocks, sockets, and parts of the
// kernel with a history of faults. It is a list of what is not allowed, since the Go runtime may use others in its next release.
var forbidden = append([]uint32{
	// Other processes, and their memory and files.
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
	unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	// Namespaces and mounts.
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT,
	unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	// Large and rarely used parts of the kernel.
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER,
	unix.SYS_IO_URING_REGISTER, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_FANOTIFY_INIT,
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_MEMFD_SECRET, unix.SYS_PERSONALITY,
	unix.SYS_MBIND, unix.SYS_SET_MEMPOLICY, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMCTL, unix.SYS_SEMTIMEDOP, unix.SYS_MSGGET,
	unix.SYS_MSGCTL, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	// The machine.
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT, unix.SYS_SWAPON,
	unix.SYS_SWAPOFF, unix.SYS_SYSLOG, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX,
	unix.SYS_CLOCK_ADJTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
	// Connections of any kind. Standard input and output are open already.
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_BIND, unix.SYS_CONNECT, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	// What Landlock does not cover: owners and attributes of files.
	unix.SYS_FCHOWNAT, unix.SYS_FCHOWN, unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR,
	unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_UTIMENSAT,
}, forbiddenHere...)

// starts are the system calls that start a program or a process, which the process itself gives up (Seal).
var starts = append([]uint32{unix.SYS_EXECVE, unix.SYS_EXECVEAT}, startsHere...)

// The fields of the data that a filter sees (linux/seccomp.h): the number of the call, the architecture, and the lower half of the
// first argument.
const (
	numberAt, archAt, firstAt = 0, 4, 16

	allowIt = unix.SECCOMP_RET_ALLOW
	refuse  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	unknown = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

func result(action uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
}

// unless skips so many instructions unless a comparison with k is true.
func unless(comparison uint16, k uint32, skip uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | comparison | unix.BPF_K, K: k, Jf: skip}
}

// begin are the instructions that each filter begins with: the calls of another architecture have other numbers.
func begin() []unix.SockFilter {
	filter := []unix.SockFilter{
		load(archAt), {Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: arch, Jt: 1}, result(unix.SECCOMP_RET_KILL_PROCESS),
		load(numberAt),
	}
	if otherNumbers > 0 {
		filter = append(filter, unless(unix.BPF_JGE, otherNumbers, 1), result(unknown))
	}
	return filter
}

func refusing(filter []unix.SockFilter, calls []uint32) []unix.SockFilter {
	for _, call := range calls {
		filter = append(filter, unless(unix.BPF_JEQ, call, 1), result(refuse))
	}
	return filter
}

// outer is the filter that a process starts with.
func outer() []unix.SockFilter {
	return append(refusing(begin(), forbidden), result(allowIt))
}

// inner is the filter that the process adds: it starts no program and no process, only threads, and sends signals only to itself.
func inner(self int) []unix.SockFilter {
	filter := refusing(begin(), starts)
	filter = append(filter,
		// The numbers of clone3 are in memory, where a filter cannot look. Go and the C libraries then use clone.
		unless(unix.BPF_JEQ, unix.SYS_CLONE3, 1), result(unknown),
		unless(unix.BPF_JEQ, unix.SYS_CLONE, 4), load(firstAt), unless(unix.BPF_JSET, unix.CLONE_THREAD, 1), result(allowIt),
		result(refuse))
	for _, call := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_TKILL} {
		filter = append(filter,
			unless(unix.BPF_JEQ, call, 4), load(firstAt), unless(unix.BPF_JEQ, uint32(self), 1), result(allowIt), result(refuse))
	}
	return append(filter, result(allowIt))
}

// install adds a filter to the calling thread, or to all threads of the process.
func install(filter []unix.SockFilter, all bool) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	flags := uintptr(0)
	if all {
		flags = unix.SECCOMP_FILTER_FLAG_TSYNC
	}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	switch {
	case errno != 0:
		return errno
	case thread != 0:
		return errors.New("a thread has another filter")
	}
	return nil
}

// filterCalls refuses the forbidden system calls to the calling thread, and to the processes that it starts.
func filterCalls() bool { return install(outer(), false) == nil }

// sealCalls refuses more, in a process that is filtered already.
func sealCalls() error {
	mode, err := unix.PrctlRetInt(unix.PR_GET_SECCOMP, 0, 0, 0, 0)
	if err != nil || mode != unix.SECCOMP_MODE_FILTER {
		return nil // The process that started this one has said so.
	}
	return install(inner(unix.Getpid()), true)
}
