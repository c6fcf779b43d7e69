// The program conformance measures kubestep by tests that nobody here wrote: Kubernetes' own integration tests, which come
// with the source of k8s.io/kubernetes in the module cache.
//
//	go run ./sim/conformance [-run REGEXP] [-v] [PACKAGE...]
//
// It copies the packages (package upstream), builds one program of them, and runs each test in a process of its own
// (package process), in virtual time against the control plane of package simtest. It then prints one line a package:
//
//	deployment 17/17
//	job 38/40
//
// A result that differs from the recorded one (expected.txt) is printed too, and makes the exit code 1. Without packages,
// it runs those of All. make conformance does the same with the build flags of make test.
//
// To work on one test:
//
//	go run ./sim/conformance -run '^TestElasticIndexedJob$' -v job    prints its log
//	go run ./sim/conformance -list job                                lists tests and their recorded results
//	go run ./sim/conformance -build                                   builds only; then the program runs a test directly:
//	bin/_conformance/conformance job TestElasticIndexedJob
//	CONFORMANCE_TRACE=job.jsonl bin/_conformance/conformance job TestElasticIndexedJob
//
// CONFORMANCE_SEED is the seed of the simulation, 0 by default.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/conformance/upstream"
)

// options are those of the command line.
type options struct {
	goCommand, buildFlags string
	only                  *regexp.Regexp
	verbose, list, build  bool
	record                bool
	resume                bool
	parallel              int
	timeout               time.Duration
	packages              []string
}

// where things are, from the root of the repository.
const (
	folder  = "bin/_conformance"
	program = folder + "/conformance"
	logs    = folder + "/logs"
)

func main() {
	o, err := parse()
	if err == nil {
		err = run(o)
	}
	var differs *differences
	switch {
	case errors.As(err, &differs):
		fmt.Fprintln(os.Stderr, differs)
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(2)
	}
}

func parse() (*options, error) {
	o := &options{}
	only := flag.String("run", "", "run only tests whose names match this regular expression")
	flag.StringVar(&o.goCommand, "go", "go", "the go command")
	flag.StringVar(&o.buildFlags, "buildflags", "", "flags of go build")
	flag.BoolVar(&o.verbose, "v", false, "print the log of each test")
	flag.BoolVar(&o.list, "list", false, "list the tests with their recorded results, and run none")
	flag.BoolVar(&o.build, "build", false, "build the program, and run no test")
	flag.BoolVar(&o.record, "record", false, "write expected.txt and docs/reference/conformance.md again")
	flag.BoolVar(&o.resume, "resume", false, "do not run tests whose results are in bin/_conformance/results.jsonl")
	flag.IntVar(&o.parallel, "parallel", 2, "run so many processes at a time")
	flag.DurationVar(&o.timeout, "timeout", 2*time.Minute, "end a test after this real time")
	flag.Parse()
	o.packages = flag.Args()
	if len(o.packages) == 0 {
		o.packages = names(All)
	}
	var err error
	o.only, err = regexp.Compile(*only)
	return o, err
}

func run(o *options) error {
	if o.list {
		return list(o)
	}
	if err := build(o); err != nil || o.build {
		return err
	}
	tests, err := testsOf(o)
	if err != nil {
		return err
	}
	results, err := runAll(o, tests)
	if err != nil {
		return err
	}
	return report(o, results)
}

// build writes the program's source and compiles it.
func build(o *options) error {
	source, err := exec.Command(o.goCommand, "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").Output()
	if err != nil {
		return fmt.Errorf("looking for the source of k8s.io/kubernetes: %w", err)
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := upstream.Write(strings.TrimSpace(string(source)), root, folder, o.packages); err != nil {
		return err
	}
	// Symbols and debug information are not used; without them the program links in half the time.
	args := append([]string{"build", "-mod=mod", "-ldflags", "-s -w"}, strings.Fields(o.buildFlags)...)
	compile := exec.Command(o.goCommand, append(args, "-o", filepath.Base(program), ".")...)
	compile.Dir = folder
	compile.Stdout, compile.Stderr = os.Stderr, os.Stderr
	if err := compile.Run(); err != nil {
		return fmt.Errorf("building the program of the tests: %w", err)
	}
	return nil
}

// testsOf asks the program for its tests.
func testsOf(o *options) ([]test, error) {
	out, err := exec.Command(program).Output()
	if err != nil {
		return nil, fmt.Errorf("listing the tests: %w", err)
	}
	var tests []test
	for line := range strings.Lines(string(out)) {
		pkg, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if o.only.MatchString(name) {
			tests = append(tests, test{pkg, name})
		}
	}
	return tests, nil
}

// directory is the working directory of a package's tests, which read files there.
func directory(pkg string) string { return filepath.Join(folder, "test", "integration", pkg) }
