// Package library finds the scenarios that come with kubestep, by name and in the order in which somebody new looks at
// them: the course of lessons first. The files themselves are in package scenarios, next to the folders.
package library

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
)

// Has reports whether a path names one of the files, with or without the leading scenarios/.
func Has(name string) bool {
	_, err := fs.Stat(scenarios.Files, strings.TrimPrefix(name, "scenarios/"))
	return err == nil
}

// Class are the lessons of a class of 45 minutes, in their order: docs/tutorial/class.md.
var Class = []string{"reconcile-loop", "create", "rolling-update", "stuck-rollout", "terminating-pods", "stale-cache"}

// Course are the lessons in the order of the syllabus. A build without upstream's kubelet does not have those that need it.
var Course = func() (names []string) {
	for _, lesson := range syllabus.All() {
		if _, err := fs.Stat(scenarios.Files, "lessons/"+lesson.Name+".yaml"); err == nil || controllers.RunsKubelets() {
			names = append(names, lesson.Name)
		}
	}
	return names
}()

// After is the lesson of the course that comes after another one; empty if there is none.
func After(lesson string) string {
	if at := slices.Index(Course, lesson); at >= 0 && at+1 < len(Course) {
		return Course[at+1]
	}
	return ""
}

// groups are the folders of scenarios.Files in the order in which somebody new looks at them.
var groups = []string{"lessons", "controllers", "bugs", "conformance"}

// kubelets are the folders of the scenarios with upstream's kubelet.
var kubelets = []string{"lessons/kubelet", "controllers/kubelet", "bugs/kubelet"}

// NeedsKubelet reports whether a file of Files is a scenario with upstream's kubelet, which not all builds have.
func NeedsKubelet(file string) bool { return slices.Contains(kubelets, path.Dir(file)) }

// Files lists the paths in scenarios.Files: the lessons in the order of the course, then the other folders, sorted. A build without
// upstream's kubelet has no scenarios with it.
func Files() ([]string, error) {
	var files []string
	err := fs.WalkDir(scenarios.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains(kubelets, name) && !controllers.RunsKubelets() {
			return fs.SkipDir
		}
		if err == nil && !entry.IsDir() && path.Ext(name) == ".yaml" {
			files = append(files, name)
		}
		return err
	})
	rank := func(file string) int {
		folder, rest, _ := strings.Cut(file, "/")
		lesson := slices.Index(Course, strings.TrimSuffix(path.Base(rest), ".yaml"))
		return slices.Index(groups, folder)*len(Course) + max(lesson, 0)
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return files, err
}

// Load reads a scenario that comes with kubestep by its path in scenarios.Files, with or without the leading scenarios/
// and the ending, or by its file's name alone.
func Load(name string) (*format.Scenario, error) {
	files, err := Files()
	if err != nil {
		return nil, err
	}
	wanted := strings.TrimSuffix(strings.TrimPrefix(name, "scenarios/"), ".yaml")
	var names []string
	for _, file := range files {
		base := strings.TrimSuffix(path.Base(file), ".yaml")
		names = append(names, base)
		if strings.TrimSuffix(file, ".yaml") == wanted || base == wanted {
			data, err := fs.ReadFile(scenarios.Files, file)
			if err != nil {
				return nil, err
			}
			return format.Parse("scenarios/"+file, data, verb.All)
		}
	}
	return nil, source.ErrorList{{
		File: name, Message: fmt.Sprintf("no such file, and no scenario %q comes with kubestep", name),
		Try: tryNearest(wanted, names),
	}}
}

func tryNearest(name string, names []string) string {
	if near := spelling.Nearest(name, names); near != "" {
		return near + ", or kubestep list"
	}
	return "kubestep list"
}
