package sandbox

import "golang.org/x/sys/unix"

const (
	arch         = unix.AUDIT_ARCH_AARCH64
	otherNumbers = 0
)

var (
	forbiddenHere = []uint32{unix.SYS_KEXEC_FILE_LOAD}
	startsHere    []uint32
)
