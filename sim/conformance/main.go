// The program conformance measures kubestep by tests that nobody here wrote: Kubernetes' own integration tests, which come
// with the source of k8s.io/kubernetes in the module cache.
//
//	go run ./sim/conformance [-run REGEXP] [-v] [PACKAGE...]
//
// It copies the packages (package upstream), builds one program of them, and runs each test in a process of its own
// (package process), in virtual time against the control plane of package bubble. It then prints one line a package:
//
//	deployment 17/17
//	job 38/40
//
// A result that differs from the recorded one (package score) is printed too, and makes the exit code 1. Without packages,
// it runs those of score.Packages. make conformance does the same; the flags of go build come from GOFLAGS.
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

	"github.com/kubestep/kubestep/sim/conformance/score"
	"github.com/kubestep/kubestep/sim/conformance/upstream"
)

// options are those of the command line.
type options struct {
	// folder is where everything is written.
	folder               string
	goCommand            string
	only                 *regexp.Regexp
	verbose, list, build bool
	record               bool
	resume               bool
	parallel             int
	timeout              time.Duration
	packages             []string
}

// Where things are in the folder.
func (o *options) program() string { return filepath.Join(o.folder, "conformance") }
func (o *options) logs() string    { return filepath.Join(o.folder, "logs") }

// results is the file that keeps the results of a run, to resume it.
func (o *options) results() string { return filepath.Join(o.folder, "results.jsonl") }

// directory is the working directory of a package's tests, which read files there.
func (o *options) directory(pkg string) string {
	return filepath.Join(o.folder, upstream.Folder(pkg))
}

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
	o := &options{folder: "bin/_conformance"}
	only := flag.String("run", "", "run only tests whose names match this regular expression")
	flag.StringVar(&o.goCommand, "go", "go", "the go command")
	flag.BoolVar(&o.verbose, "v", false, "print the log of each test")
	flag.BoolVar(&o.list, "list", false, "list the tests with their recorded results, and run none")
	flag.BoolVar(&o.build, "build", false, "build the program, and run no test")
	flag.BoolVar(&o.record, "record", false, "write expected.txt again")
	flag.BoolVar(&o.resume, "resume", false, "do not run tests whose results are in bin/_conformance/results.jsonl")
	flag.IntVar(&o.parallel, "parallel", 2, "run so many processes at a time")
	flag.DurationVar(&o.timeout, "timeout", 2*time.Minute, "end a test after this real time")
	flag.Parse()
	o.packages = flag.Args()
	if len(o.packages) == 0 {
		o.packages = score.Names()
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

// sourcesOf asks the go command where the modules are that have tests.
func sourcesOf(o *options) (upstream.Sources, error) {
	sources := upstream.Sources{}
	for _, path := range upstream.Modules {
		dir, err := module(o, "{{.Dir}}", path)
		if err != nil {
			return nil, err
		}
		sources[path] = dir
	}
	return sources, nil
}

// module asks the go command about a module.
func module(o *options, format, path string) (string, error) {
	out, err := exec.Command(o.goCommand, "list", "-m", "-f", format, path).Output()
	if err != nil {
		return "", fmt.Errorf("looking for the module %s: %w", path, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// testsOf asks the program for its tests.
func testsOf(o *options) ([]score.Test, error) {
	out, err := exec.Command(o.program()).Output()
	if err != nil {
		return nil, fmt.Errorf("listing the tests: %w", err)
	}
	var tests []score.Test
	for line := range strings.Lines(string(out)) {
		pkg, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if o.only.MatchString(name) {
			tests = append(tests, score.Test{Package: pkg, Name: name})
		}
	}
	return tests, nil
}
