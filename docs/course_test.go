package docs_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

const courseHead = `# The course

%s in %d units. The number of a lesson is its place: 2.3 is the third lesson of the second unit. No lesson needs one that comes after
it. ` + "`kubestep open NAME`" + ` plays a lesson, in its picker the course comes first, and [Teaching a class](../tutorial/class.md) picks
six lessons for 45 minutes.

CKA and CKAD are the exams Certified Kubernetes Administrator and Certified Kubernetes Application Developer: the columns name the domain
that asks for the subject of a lesson. The last column leads to the page of the Kubernetes documentation about it. Lessons with * need
[upstream's kubelet](../howto/run-upstreams-kubelet.md), which the exact build for Linux has.
`

// TestCoursePageIsFresh compares docs/reference/course.md with the table of the course and the files of the lessons; -rewrite makes it
// again.
func TestCoursePageIsFresh(t *testing.T) {
	var out strings.Builder
	fmt.Fprintf(&out, courseHead, trace.Count(len(syllabus.All()), "lesson"), len(syllabus.Units))
	for _, unit := range syllabus.Units {
		fmt.Fprintf(&out, "\n## %d. %s\n\n| lesson | name | level | questions | CKA | CKAD | documentation |\n|---|---|---|---|---|---|---|\n",
			unit.Number, unit.Title)
		for _, lesson := range unit.Lessons {
			fmt.Fprintln(&out, courseRow(t, lesson))
		}
	}
	golden.Page(t, "reference/course.md", "scenarios/library/syllabus and the files of the lessons", out.String())
}

// courseRow is the line of a lesson.
func courseRow(t *testing.T, lesson syllabus.Lesson) string {
	t.Helper()
	file, star := "lessons/"+lesson.Name+".yaml", ""
	if _, err := fs.Stat(scenarios.Files, file); err != nil {
		file, star = "lessons/kubelet/"+lesson.Name+".yaml", "*"
	}
	data, err := fs.ReadFile(scenarios.Files, file)
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := format.Parse("scenarios/"+file, data, verb.All)
	if err != nil {
		t.Fatal(err)
	}
	page := strings.TrimSuffix(strings.Split(lesson.Page, "#")[0], "/")
	return fmt.Sprintf("| %s [%s](../../scenarios/%s)%s | `%s` | %s | %d | %s | %s | [%s](%s) |", lesson.Number, scenario.Spec.Title, file, star,
		lesson.Name, scenario.Metadata.Labels["level"], questionsOf(scenario), dashed(lesson.CKA), dashed(lesson.CKAD),
		page[strings.LastIndex(page, "/")+1:], lesson.URL())
}

func dashed(domain syllabus.Domain) string {
	if domain == "" {
		return "-"
	}
	return string(domain)
}

// questionsOf counts the questions of a lesson.
func questionsOf(lesson *format.Scenario) (questions int) {
	for _, step := range lesson.Spec.Steps {
		if _, asks := step.Verb.(*verb.Ask); asks {
			questions++
		}
	}
	return questions
}

// asksNothing is the one lesson without questions.
const asksNothing = "controller-manager-tour"

// TestLessonsAsk holds each lesson but one to two questions.
func TestLessonsAsk(t *testing.T) {
	eachLesson(t, func(file string) {
		data, err := fs.ReadFile(scenarios.Files, file)
		if err != nil {
			t.Fatal(err)
		}
		scenario, err := format.Parse("scenarios/"+file, data, verb.All)
		if err != nil {
			t.Fatal(err)
		}
		if n := questionsOf(scenario); (n < 2) != (scenario.Metadata.Name == asksNothing) {
			t.Errorf("%s asks %s", file, trace.Count(n, "question"))
		}
	})
}
