//go:build !kubestep_external

package ctrlmain

import "io"

const built = false

func seed(uint64) bool { return false }

func nextTimer() int64 { return 0 }

func setRandom(io.Reader) {}
