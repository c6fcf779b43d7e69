package sandbox

import "golang.org/x/sys/unix"

const (
	arch = unix.AUDIT_ARCH_X86_64
	// otherNumbers begins the numbers of the x32 ABI.
	otherNumbers = 0x40000000
)

var (
	forbiddenHere = []uint32{
		unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME,
		unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
	}
	startsHere = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
)
