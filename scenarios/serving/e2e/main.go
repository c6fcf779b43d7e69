// The program e2e runs Kubernetes' own end-to-end tests, those that a distribution has to pass to be called Kubernetes, against a cluster
// of kubestep.
//
//	go run ./scenarios/serving/e2e [-run REGEXP] [-v]
//
// It builds a program of k8s.io/kubernetes/test/e2e, which is in the module cache, and runs each test in a process and a cluster of its
// own (package world). Test and cluster share a bubble of virtual time: a test that waits for ten minutes takes as long as the work in
// these minutes. It then prints one line for each group:
//
//	sig-apps 58/60
//
// A result that differs from the recorded one (package outcome) is printed too, and makes the exit code 1. make e2e does the same; the
// flags of go build come from GOFLAGS.
//
//	go run ./scenarios/serving/e2e -every 3                  runs every third test: some minutes of CPU
//	go run ./scenarios/serving/e2e -run 'ReplicaSet' -v      prints the logs of some tests
//	go run ./scenarios/serving/e2e -list                     lists tests and their recorded results
//	go run ./scenarios/serving/e2e -build                    builds only; then the program runs a test directly:
//	bin/_e2e/e2e '[sig-apps] ReplicaSet should list and delete a collection of ReplicaSets [Conformance]'
//
// E2E_SEED is the seed of the simulation, 1 by default, and E2E_TRACE a file for its trace.
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

	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/scenarios/serving/e2e/outcome"
)

// options are those of the command line.
type options struct {
	// folder is where everything is written.
	folder               string
	goCommand            string
	only                 *regexp.Regexp
	every                int
	verbose, list, build bool
	record, resume       bool
	parallel             int
	timeout              time.Duration
}

// Where things are in the folder.
func (o *options) program() string { return filepath.Join(o.folder, "e2e") }
func (o *options) logs() string    { return filepath.Join(o.folder, "logs") }

// results is the file that keeps the results of a run, to resume it.
func (o *options) results() string { return filepath.Join(o.folder, "results.jsonl") }

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
	o := &options{folder: "bin/_e2e"}
	only := flag.String("run", "", "run only tests whose names match this regular expression")
	flag.StringVar(&o.goCommand, "go", "go", "the go command")
	flag.IntVar(&o.every, "every", 1, "run every n-th test only")
	flag.BoolVar(&o.verbose, "v", false, "print the log of each test")
	flag.BoolVar(&o.list, "list", false, "list the tests with their recorded results, and run none")
	flag.BoolVar(&o.build, "build", false, "build the program, and run no test")
	flag.BoolVar(&o.record, "record", false, "write expected.txt again")
	flag.BoolVar(&o.resume, "resume", false, "do not run tests whose results are in bin/_e2e/results.jsonl")
	flag.IntVar(&o.parallel, "parallel", 2, "run so many processes at a time")
	flag.DurationVar(&o.timeout, "timeout", 2*time.Minute, "end a test after this real time")
	flag.Parse()
	switch {
	case flag.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q\nTry: -run %[1]q", flag.Arg(0))
	case o.every < 1:
		return nil, fmt.Errorf("-every %d is not positive\nTry: -every 3", o.every)
	}
	var err error
	o.only, err = regexp.Compile(*only)
	return o, err
}

func run(o *options) error {
	if o.list {
		return list(o)
	}
	kubernetes, err := kubernetesModule(o)
	if err != nil {
		return err
	}
	if err := build(o, kubernetes); err != nil || o.build {
		return err
	}
	all, err := suite(kubernetes)
	if err != nil {
		return err
	}
	tests := chosen(o, all)
	if len(tests) == 0 {
		return fmt.Errorf("no test matches %q\nTry: -list", o.only)
	}
	results, err := runAll(o, tests, kubernetes.version)
	if err != nil {
		return err
	}
	return report(o, all, results)
}

// kubernetes is the module with the tests.
type kubernetes struct{ version, folder string }

// kubernetesModule asks the go command for it.
func kubernetesModule(o *options) (kubernetes, error) {
	out, err := exec.Command(o.goCommand, "list", "-m", "-f", "{{.Version}} {{.Dir}}", "k8s.io/kubernetes").Output()
	if err != nil {
		return kubernetes{}, fmt.Errorf("looking for the module k8s.io/kubernetes: %w", err)
	}
	version, folder, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return kubernetes{version, folder}, nil
}

// suite lists the names of the conformance tests, as upstream lists them.
func suite(from kubernetes) ([]string, error) {
	file := filepath.Join(from.folder, "test/conformance/testdata/conformance.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var tests []struct {
		Codename string `json:"codename"`
	}
	if err := yaml.Unmarshal(text, &tests); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var names []string
	for _, test := range tests {
		names = append(names, outcome.Plain(test.Codename))
	}
	return names, nil
}

// chosen are the tests that the options ask for.
func chosen(o *options, all []string) (tests []string) {
	for i, name := range all {
		if i%o.every == 0 && o.only.MatchString(name) {
			tests = append(tests, name)
		}
	}
	return tests
}
