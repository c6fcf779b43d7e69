//go:build !(kubestep_exact && linux && (amd64 || arm64))

package exact

const canFork = false

func forkProcess() (int, error) { return 0, ErrNoFork }
