package teach

import (
	"context"
	"sync"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/scenarios/web/teach/internal/classroom"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// course is what a class can see: its lessons, each of which is made when it is needed, once.
type course struct {
	entries []page.Course
	// make makes the page of a lesson by the name of its entry.
	make func(ctx context.Context, name string) (*page.Lesson, error)

	mu sync.Mutex
	// plays are the lessons that are made or being made, by their names.
	plays map[string]*play
}

// play is a lesson that is made: done is closed when it is there, or has failed.
type play struct {
	done   chan struct{}
	lesson *classroom.Lesson
	// data are what the player shows, as of page.Lesson.Data.
	data []byte
	err  error
}

// newCourse is a course of files; without any, it is that of kubestep. A file that cannot be a lesson is an error of runner.Open.
func newCourse(
	files []string, language *localization.Language, lesson func(context.Context, string) (*page.Lesson, error),
) (*course, error) {
	c := &course{make: lesson, plays: map[string]*play{}}
	shipped := len(files) == 0
	if shipped {
		files = library.Course
	}
	for _, file := range files {
		entry := page.Course{Name: file, Title: file}
		if !tracefile.IsMeant(file) {
			scenario, err := runner.Open(file)
			if err != nil {
				return nil, err
			}
			entry.Title, entry.Level = language.Lesson(scenario.Spec.Title), language.Page(scenario.Metadata.Labels["level"])
			_, err = library.Load(file)
			entry.Shipped = err == nil && scenario.Metadata.Name == file
		}
		if shipped {
			entry.Unit = unitOf(file, language)
		}
		c.entries = append(c.entries, entry)
	}
	return c, nil
}

// has reports whether a name is that of a lesson.
func (c *course) has(name string) bool {
	for _, entry := range c.entries {
		if entry.Name == name {
			return true
		}
	}
	return false
}

// get makes a lesson, or waits until it is made. It must be of the course. One that has failed is made again.
func (c *course) get(ctx context.Context, name string) *play {
	c.mu.Lock()
	p := c.plays[name]
	if p != nil && p.failed() {
		p = nil
	}
	mine := p == nil
	if mine {
		p = &play{done: make(chan struct{})}
		c.plays[name] = p
	}
	c.mu.Unlock()
	if mine {
		p.make(ctx, name, c.make)
	}
	<-p.done
	return p
}

// made is a lesson that is there already, nil if it is not.
func (c *course) made(name string) *play {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.plays[name]
	if p == nil {
		return nil
	}
	select {
	case <-p.done:
		if p.err == nil {
			return p
		}
	default:
	}
	return nil
}

// advance makes one lesson after the other before anybody chooses it, until the context ends.
func (c *course) advance(ctx context.Context) {
	for _, entry := range c.entries {
		if ctx.Err() != nil {
			return
		}
		c.get(ctx, entry.Name)
	}
}

func (p *play) make(ctx context.Context, name string, lesson func(context.Context, string) (*page.Lesson, error)) {
	defer close(p.done)
	made, err := lesson(ctx, name)
	if err == nil {
		p.data, err = made.Data()
	}
	if err != nil {
		p.err = err
		return
	}
	p.lesson = &classroom.Lesson{Name: name, Title: made.Title, Questions: made.Questions(), Beats: len(made.Beats)}
	for i := range made.Branches {
		p.lesson.Branches = append(p.lesson.Branches, len(made.Branches[i].Run.Beats))
	}
}

func (p *play) failed() bool {
	select {
	case <-p.done:
		return p.err != nil
	default:
		return false
	}
}

// unitOf is the part of the course that a lesson belongs to.
func unitOf(lesson string, language *localization.Language) string {
	if l, found := syllabus.Find(lesson); found {
		l.UnitTitle = language.Page(l.UnitTitle)
		return l.Heading()
	}
	return ""
}
