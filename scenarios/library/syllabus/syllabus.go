// Package syllabus is the table of the course: its units, the lessons of each in their order, and for each lesson its place in the exams
// and in the documentation of Kubernetes. The title of a lesson is in its file.
package syllabus

import "fmt"

// Unit is a part of the course.
type Unit struct {
	// Number counts the units, from 1.
	Number  int
	Title   string
	Lessons []Lesson
}

// Lesson is the place of a lesson.
type Lesson struct {
	// Name is that of its scenario.
	Name string
	// CKA and CKAD are the domains of the exams Certified Kubernetes Administrator and Certified Kubernetes Application Developer that it
	// belongs to; empty for what an exam does not ask.
	CKA, CKAD Domain
	// Page is the page of the documentation of Kubernetes about its subject, below https://kubernetes.io/docs/.
	Page string
	// Number is its place, such as 2.3 for the third lesson of the second unit.
	Number string
	// Unit is the number of its unit, and UnitTitle the title.
	Unit      int
	UnitTitle string
}

// URL is the address of the page of the documentation.
func (l Lesson) URL() string { return "https://kubernetes.io/docs/" + l.Page }

// Heading is the title of a unit with its number.
func (l Lesson) Heading() string { return fmt.Sprintf("%d. %s", l.Unit, l.UnitTitle) }

// Units are the course, with all lessons: those that need upstream's kubelet, too.
var Units = numbered([]Unit{
	{Title: "Workloads", Lessons: workloads},
	{Title: "Services", Lessons: services},
	{Title: "Scheduling", Lessons: scheduling},
	{Title: "Nodes and disruption", Lessons: disruption},
	{Title: "Storage and configuration", Lessons: configuration},
	{Title: "Controllers from inside", Lessons: inside},
})

// numbered gives each unit and each lesson its number: what is added at its place in the table moves those after it.
func numbered(units []Unit) []Unit {
	for i := range units {
		unit := &units[i]
		unit.Number = i + 1
		for j := range unit.Lessons {
			lesson := &unit.Lessons[j]
			lesson.Number, lesson.Unit, lesson.UnitTitle = fmt.Sprintf("%d.%d", i+1, j+1), unit.Number, unit.Title
		}
	}
	return units
}

// All are the lessons of all units, in the order of the course.
func All() (all []Lesson) {
	for _, unit := range Units {
		all = append(all, unit.Lessons...)
	}
	return all
}

// Find is the place of a lesson by its name.
func Find(name string) (lesson Lesson, found bool) {
	for _, unit := range Units {
		for _, l := range unit.Lessons {
			if l.Name == name {
				return l, true
			}
		}
	}
	return Lesson{}, false
}
