package library_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
)

// TestEachLessonIsInOneUnit holds the table of the course to the files: each lesson has one place, each place a lesson, each unit one or
// more. The numbers have no gaps.
func TestEachLessonIsInOneUnit(t *testing.T) {
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	var lessons, names []string
	for _, file := range files {
		if strings.HasPrefix(file, "lessons/") {
			lessons = append(lessons, strings.TrimSuffix(path.Base(file), ".yaml"))
		}
	}
	for i, unit := range syllabus.Units {
		if len(unit.Lessons) == 0 {
			t.Errorf("the unit %s has no lessons", unit.Title)
		}
		for j, lesson := range unit.Lessons {
			if want := fmt.Sprintf("%d.%d", i+1, j+1); lesson.Number != want {
				t.Errorf("%s has the number %s, not %s", lesson.Name, lesson.Number, want)
			}
			if slices.Contains(names, lesson.Name) {
				t.Errorf("%s has two places in the course", lesson.Name)
			}
			names = append(names, lesson.Name)
			if !slices.Contains(lessons, lesson.Name) && controllers.RunsKubelets() {
				t.Errorf("there is no lesson %s, which has the number %s", lesson.Name, lesson.Number)
			}
			if lesson.Page == "" || !strings.Contains(lesson.Page, "/") {
				t.Errorf("%s has the page %q", lesson.Name, lesson.Page)
			}
		}
	}
	for _, lesson := range lessons {
		if !slices.Contains(names, lesson) {
			t.Errorf("%s is in no unit of the course", lesson)
		}
	}
	if !slices.Equal(lessons, library.Course) {
		t.Errorf("the files are in the order\n%v, the course in\n%v", lessons, library.Course)
	}
}

// TestTheClassIsOfTheCourse holds that the lessons of the class are in the course.
func TestTheClassIsOfTheCourse(t *testing.T) {
	for _, name := range library.Class {
		if _, found := syllabus.Find(name); !found {
			t.Errorf("%s is not in the course", name)
		}
	}
}
