//go:build !kubestep_external

package ctrlmain

const built = false

func seed(uint64) bool { return false }

func nextTimer() int64 { return 0 }
