//go:build !unix

package main

import "os"

// peakMemory is not known on systems without resource usage.
func peakMemory(*os.ProcessState) int64 { return 0 }
