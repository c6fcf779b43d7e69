//go:build !windows && !js

package scheduler

import (
	"syscall"
	_ "unsafe" // for go:linkname

	_ "k8s.io/kubernetes/pkg/scheduler/backend/cache/debugger"
)

// compareSignal makes kube-scheduler dump its cache. Who asks for a signal first in a process waits for a goroutine of the
// runtime, and others run in the meantime, so the first run of a process would differ from the second. Signal.Notify ignores -1,
// which is no signal.
//
//go:linkname compareSignal k8s.io/kubernetes/pkg/scheduler/backend/cache/debugger.compareSignal
var compareSignal syscall.Signal

func init() { compareSignal = -1 }
