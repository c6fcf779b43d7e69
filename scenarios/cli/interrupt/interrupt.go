// Package interrupt ends what a user, or the system, asks to end: by Ctrl-C, by kill, or by closing the terminal.
//
// A shell reports the end of a process by a signal as 128 plus the number of the signal, and so do the exit codes here.
package interrupt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// The signals that ask a program to end: Ctrl-C, kill, and a terminal that is closed. SIGQUIT stays Go's own, which
// prints the stacks of all goroutines.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// Error is the end by a signal.
type Error struct{ Signal os.Signal }

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("interrupted by %v", e.Signal) }

// ExitCode is the exit code of a process that the signal ended.
func (e *Error) ExitCode() int {
	if number, ok := e.Signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return 128 + int(syscall.SIGINT)
}

// heard are the signals of a list that the process listens to: nohup starts it with SIGHUP ignored, and means it.
func heard(signals ...os.Signal) []os.Signal {
	var list []os.Signal
	for _, s := range signals {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}

// Cleanup calls cleanup and exits, as a shell reports it, when one of the signals comes. Without a list, these are the
// endings, and SIGPIPE: the reader of standard output has closed its end.
func Cleanup(cleanup func(), only ...os.Signal) (stop func()) {
	signals := make(chan os.Signal, 1)
	if len(only) == 0 {
		only = append(only, append(endings, syscall.SIGPIPE)...)
	}
	only = heard(only...)
	if len(only) == 0 {
		return func() {}
	}
	signal.Notify(signals, only...)
	forget := AtExit(cleanup)
	go func() {
		if s, ok := <-signals; ok {
			cleanup()
			os.Exit((&Error{s}).ExitCode())
		}
	}()
	return func() {
		forget()
		signal.Stop(signals)
		close(signals)
	}
}

// cleanups are what Exit calls.
var cleanups struct {
	sync.Mutex
	next int
	run  map[int]func()
}

// AtExit has Exit call cleanup.
func AtExit(cleanup func()) (forget func()) {
	cleanups.Lock()
	defer cleanups.Unlock()
	if cleanups.run == nil {
		cleanups.run = map[int]func(){}
	}
	cleanups.next++
	number := cleanups.next
	cleanups.run[number] = cleanup
	return func() {
		cleanups.Lock()
		defer cleanups.Unlock()
		delete(cleanups.run, number)
	}
}

// Exit ends the process as a signal does, after all cleanups, with an exit code. It is for a process that exceeds a limit, and may
// be called on any goroutine.
func Exit(code int) {
	cleanups.Lock()
	defer cleanups.Unlock()
	for _, cleanup := range cleanups.run {
		cleanup()
	}
	os.Exit(code)
}

// Context returns a context that ends with another one, and when somebody asks the process to end. The cause is then an *Error.
func Context(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, heard(endings...)...)
	go func() {
		if s, ok := <-signals; ok {
			cancel(&Error{s})
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}

// Cause is why a context of Context ended.
func Cause(ctx context.Context) error {
	var by *Error
	if errors.As(context.Cause(ctx), &by) {
		return by
	}
	return &Error{os.Interrupt}
}
