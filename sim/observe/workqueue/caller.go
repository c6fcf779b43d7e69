package workqueue

import (
	"runtime"
	"strings"
)

// Caller is the function outside of client-go's queues that asks for a delayed addition, on the goroutine that does. limited means that the
// rate limiter of the queue says how long the delay is: the longer, the more often it has been asked since the key was last forgotten.
func Caller() (function string, limited bool) {
	for _, name := range stack() {
		switch at := strings.Index(name, ").AddRateLimited"); {
		case !strings.HasPrefix(name, queues) && function == "":
			// What reports to this package comes before the first function of the queues.
		case strings.HasPrefix(name, queues):
			function, limited = queues, limited || at > 0
		default:
			return name, limited
		}
	}
	return "", limited
}

// IsTimer reports whether the calling goroutine is the one that adds keys to a queue when their delay is over.
func IsTimer() bool {
	for _, name := range stack() {
		if strings.HasPrefix(name, queues) && strings.HasSuffix(name, ").waitingLoop") {
			return true
		}
	}
	return false
}

// queues is the package of client-go's queues.
const queues = "k8s.io/client-go/util/workqueue."

// stack are the functions that the calling goroutine is in, the innermost first.
func stack() (names []string) {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		names = append(names, frame.Function)
	}
	return names
}
