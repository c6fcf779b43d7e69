package external

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/process/lastwords"
	"github.com/kubestep/kubestep/sim/trace"
)

// klogHeader begins a line of klog: severity, date, process and place in the source. The process differs in each run.
var klogHeader = regexp.MustCompile(`^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [^ ]+\] `)

// report puts what the program printed into the trace. It runs when the program waits, so that it has all of it.
func (s *session) report() {
	text := s.process.said(s.logged)
	end := strings.LastIndexByte(text, '\n') + 1
	if end == 0 && len(text) < saidMax {
		return
	}
	s.logged += int64(end)
	for line := range strings.Lines(text[:end]) {
		line = strings.TrimRight(line, "\r\n")
		header := klogHeader.FindStringSubmatch(line)
		switch {
		case header == nil:
			s.log.Info(line)
		case header[1] == "E" || header[1] == "F":
			s.log.Error(nil, line[len(header[0]):])
		default:
			s.log.Info(line[len(header[0]):])
		}
	}
}

// exitError means that a program ended by itself.
type exitError struct {
	code    int
	problem string
	// said is what it printed.
	said string
}

// Error implements error.
func (e *exitError) Error() string {
	if e.problem == "" {
		return trace.ProcessExited + " with code 0"
	}
	return trace.ProcessExited + ": " + e.problem
}

// panics is how Go begins to report a panic that ends a process, or what its runtime cannot recover from.
var panics = regexp.MustCompile(`(?m)^(panic: |fatal error: )(.*)$`)

// panicked says what the panic was, if there was one.
func (e *exitError) panicked() string {
	if found := panics.FindStringSubmatch(e.said); e.code == 2 && found != nil {
		return found[2]
	}
	return ""
}

// tryMain is what helps if a program does not speak kubestep's protocol.
const tryMain = "a program whose main function calls ctrlmain.Main, built with the flags of kubestep " +
	"(docs/howto/run-an-operator-with-other-dependencies.md)"

// early says what is wrong with a program that exited before it sent a frame, and what may help. ctrlmain itself says both if
// the program cannot run.
func (e *exitError) early(controller string) *controllers.Error {
	if words, ok := lastwords.In(e.said); ok {
		return &controllers.Error{Controller: controller, Problem: "does not start: " + words.Error, Try: words.Try}
	}
	problem := "does not speak kubestep's protocol: " + e.Error() + " before it answered"
	return &controllers.Error{Controller: controller, Problem: problem, Stack: []byte(e.said), Try: tryMain}
}

// busyError means that the goroutines of a program did not come to wait in virtual time.
type busyError struct {
	patience   time.Duration
	goroutines string
	// said is what it printed.
	said string
}

// Error implements error.
func (e *busyError) Error() string {
	return fmt.Sprintf("is a program of its own that never waits in virtual time: it worked for %s of real time, or waits for a socket, "+
		"a file, a process, or a mutex that is held across a request", e.patience)
}

// fault is the error of the controller that the program is; worked means that it spoke to kubestep before.
func (e *busyError) fault(controller string, worked bool) *controllers.Error {
	fault := &controllers.Error{Controller: controller, Problem: e.Error(), Stack: []byte(e.goroutines)}
	fault.Try = controller + " is your program: look at the stack below"
	if e.goroutines == "" && !worked {
		fault.Problem = fmt.Sprintf("does not answer kubestep: it runs for %s of real time", e.patience)
		fault.Stack, fault.Try = []byte(e.said), tryMain
	} else if fault.At = controllers.Culprit(e.goroutines); fault.At != "" {
		fault.Try = controller + " is your program: correct the code there; the whole stack is below"
	}
	return fault
}

// busy keeps the goroutines of a bubble that do not wait in virtual time.
func busy(dump string) string {
	var culprits []string
	for stack := range strings.SplitSeq(dump, "\n\n") {
		header, _, _ := strings.Cut(stack, "\n")
		if strings.Contains(header, "synctest bubble") && !strings.Contains(header, "(durable)") &&
			!strings.Contains(header, "synctest.Wait") && !strings.Contains(header, "synctest.Run") {
			culprits = append(culprits, stack)
		}
	}
	return strings.Join(culprits, "\n\n")
}
