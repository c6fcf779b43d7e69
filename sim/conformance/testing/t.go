package testing

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TB is Go's own interface, which T implements, so that a T can be passed to packages that are not rewritten.
type TB = testing.TB

// T is a test or a subtest. It implements the methods of Go's T.
type T struct {
	// TB has the unexported method that an implementation of the interface needs. It is nil: T has all the others.
	testing.TB

	name    string
	parent  *T
	log     io.Writer
	context context.Context
	cancel  context.CancelFunc

	mu              sync.Mutex
	failed, skipped bool
	cleanups        []func()
	// subtests counts the subtests of each name.
	subtests map[string]int
	// results are those of the subtests, at any depth, in the order in which they end.
	results []Result
}

// Result is how a test or subtest ended.
type Result struct {
	Name            string
	Failed, Skipped bool
}

// Play runs a test on a goroutine of the calling bubble and waits for it and its cleanup. log gets what it logs.
func Play(name string, test func(*T), log io.Writer) (Result, []Result) {
	t := &T{name: name, log: log}
	t.play(test)
	return t.result(), t.results
}

func (t *T) result() Result { return Result{t.name, t.Failed(), t.Skipped()} }

// play runs f and then the cleanup, each of which FailNow may end, on goroutines of their own.
func (t *T) play(f func(*T)) {
	t.context, t.cancel = context.WithCancel(context.Background())
	t.within(func() { f(t) })
	t.cancel()
	for {
		t.mu.Lock()
		last := len(t.cleanups) - 1
		if last < 0 {
			t.mu.Unlock()
			return
		}
		cleanup := t.cleanups[last]
		t.cleanups = t.cleanups[:last]
		t.mu.Unlock()
		t.within(cleanup)
	}
}

// within runs f on a goroutine, since FailNow and SkipNow end the goroutine that calls them.
func (t *T) within(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer t.recover()
		f()
	}()
	<-done
}

// recover makes a panic of the test a failure. A panic of another goroutine ends the process.
func (t *T) recover() {
	if value := recover(); value != nil {
		fmt.Fprintf(t.log, "panic: %v\n\n%s\n", value, debug.Stack())
		t.Fail()
	}
}

// Run runs a subtest and reports whether it succeeded.
func (t *T) Run(name string, f func(*T)) bool {
	sub := &T{name: t.unique(name), parent: t, log: t.log}
	fmt.Fprintf(t.log, "=== RUN   %s\n", sub.name)
	sub.play(f)
	result := sub.result()
	fmt.Fprintf(t.log, "--- %s: %s\n", word(result), sub.name)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.results = append(append(t.results, sub.results...), result)
	return !result.Failed
}

func word(r Result) string {
	switch {
	case r.Failed:
		return "FAIL"
	case r.Skipped:
		return "SKIP"
	}
	return "PASS"
}

// unique is the full name of a subtest, in the form of Go's package.
func (t *T) unique(name string) string {
	name = strings.ReplaceAll(name, " ", "_")
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.subtests == nil {
		t.subtests = map[string]int{}
	}
	n := t.subtests[name]
	t.subtests[name]++
	if n > 0 || name == "" {
		name = fmt.Sprintf("%s#%02d", name, n)
	}
	return t.name + "/" + name
}

// Parallel does nothing.
func (t *T) Parallel() {}

// Name implements testing.TB.
func (t *T) Name() string { return t.name }

// Helper implements testing.TB. Lines of the log say where they come from without it.
func (t *T) Helper() {}

// Context implements testing.TB.
func (t *T) Context() context.Context { return t.context }

// Cleanup implements testing.TB.
func (t *T) Cleanup(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cleanups = append(t.cleanups, f)
}

// Fail implements testing.TB. A test fails with its subtest.
func (t *T) Fail() {
	if t.parent != nil {
		t.parent.Fail()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed = true
}

// Failed implements testing.TB.
func (t *T) Failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// FailNow implements testing.TB.
func (t *T) FailNow() {
	t.Fail()
	runtime.Goexit()
}

// SkipNow implements testing.TB.
func (t *T) SkipNow() {
	t.mu.Lock()
	t.skipped = true
	t.mu.Unlock()
	runtime.Goexit()
}

// Skipped implements testing.TB.
func (t *T) Skipped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.skipped
}

// line writes one message with the virtual time and the place in the test from which it comes.
func (t *T) line(text string) {
	place := "?"
	for skip := 2; skip < 6; skip++ {
		_, file, n, ok := runtime.Caller(skip)
		if ok && !strings.HasSuffix(file, "/conformance/testing/t.go") {
			place = fmt.Sprintf("%s:%d", filepath.Base(file), n)
			break
		}
	}
	fmt.Fprintf(t.log, "    %s %s: %s\n", time.Now().Format("15:04:05.000"), place, strings.TrimRight(text, "\n"))
}

// Log implements testing.TB.
func (t *T) Log(args ...any) { t.line(fmt.Sprintln(args...)) }

// Logf implements testing.TB.
func (t *T) Logf(format string, args ...any) { t.line(fmt.Sprintf(format, args...)) }

// Error implements testing.TB.
func (t *T) Error(args ...any) {
	t.line("ERROR " + fmt.Sprintln(args...))
	t.Fail()
}

// Errorf implements testing.TB.
func (t *T) Errorf(format string, args ...any) {
	t.line("ERROR " + fmt.Sprintf(format, args...))
	t.Fail()
}

// Fatal implements testing.TB.
func (t *T) Fatal(args ...any) {
	t.line("FATAL " + fmt.Sprintln(args...))
	t.FailNow()
}

// Fatalf implements testing.TB.
func (t *T) Fatalf(format string, args ...any) {
	t.line("FATAL " + fmt.Sprintf(format, args...))
	t.FailNow()
}

// Skip implements testing.TB.
func (t *T) Skip(args ...any) {
	t.line("SKIP " + fmt.Sprintln(args...))
	t.SkipNow()
}

// Skipf implements testing.TB.
func (t *T) Skipf(format string, args ...any) {
	t.line("SKIP " + fmt.Sprintf(format, args...))
	t.SkipNow()
}

// Attr implements testing.TB.
func (t *T) Attr(key, value string) { t.line(key + "=" + value) }

// Output implements testing.TB.
func (t *T) Output() io.Writer { return t.log }

// Setenv implements testing.TB.
func (t *T) Setenv(key, value string) {
	before, set := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if set {
			t.check(os.Setenv(key, before))
		} else {
			t.check(os.Unsetenv(key))
		}
	})
}

// Chdir implements testing.TB.
func (t *T) Chdir(dir string) {
	before, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { t.check(os.Chdir(before)) })
}

// TempDir implements testing.TB.
func (t *T) TempDir() string {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { t.check(os.RemoveAll(dir)) })
	return dir
}

// ArtifactDir implements testing.TB.
func (t *T) ArtifactDir() string { return t.TempDir() }

func (t *T) check(err error) {
	if err != nil {
		t.Error(err)
	}
}

// Failures lists the names of failed subtests.
func Failures(results []Result) []string {
	var names []string
	for _, result := range results {
		if result.Failed {
			names = append(names, result.Name)
		}
	}
	slices.Sort(names)
	return names
}
