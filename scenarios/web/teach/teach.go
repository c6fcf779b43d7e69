// Package teach is kubestep teach: a class follows lessons on its own screens and votes on the questions. The presenter moves through the
// page of a lesson (scenarios/web/page), and the pages of the class follow. Everything is in memory and ends with the process.
//
//	students   GET /?code=CODE       the page, which follows; POST /vote
//	presenter  GET /present?key=KEY  the page, which leads; POST /lead, GET /report.md, GET /report.json
//	both       GET /lesson           what the player shows
//	           GET /state            waits for news: the lesson and the place in it, and for the presenter the votes
//	           GET /playground/      the playground, if the server has one
package teach

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/web/export"
	"github.com/kubestep/kubestep/scenarios/web/internal/qr"
	"github.com/kubestep/kubestep/scenarios/web/internal/serve"
	"github.com/kubestep/kubestep/scenarios/web/page"
	web "github.com/kubestep/kubestep/scenarios/web/site"
)

// Loopback is the address by default: a free port of this machine.
const Loopback = serve.Loopback

// Options are how a class is served.
type Options struct {
	// Listen is the address, HOST:PORT; port 0 is a free one.
	Listen string
	// Playground is the folder that make web has built. "" is the folder web beside the program, if there is one.
	Playground string
	// Language is that of the lessons and the pages; nil for English.
	Language *localization.Language
}

// courseTitle is what a class of the whole course is about.
func courseTitle(language *localization.Language) string {
	return language.Page("kubestep: the course")
}

// Serve lets a class follow lessons, those of scenarios and traces, until the context or a signal ends it. Without files, they are the
// course. A single file is opened at once; otherwise, the presenter chooses. A file that makes no lesson, and an address or a folder
// that cannot be used, are a *cli.UsageError or a *source.Error.
func Serve(ctx context.Context, streams cli.Streams, files []string, options Options) error {
	if err := serve.Check(options.Listen); err != nil {
		return err
	}
	s, err := prepare(ctx, streams, files, options.Language)
	if err != nil {
		return err
	}
	site, err := openPlayground(options.Playground)
	if err != nil {
		return err
	}
	if site != nil {
		defer site.Close()
		s.playground = site
	}
	cli.Unbound(ctx)
	listener, names, err := serve.Listen(ctx, options.Listen)
	if err != nil {
		return err
	}
	doors, err := doorsOf(names, s.code)
	if err != nil {
		return err
	}
	if err := s.open(doors); err != nil {
		return err
	}
	if err := s.welcome(streams, doors); err != nil {
		return err
	}
	go s.course.advance(ctx)
	return serve.Until(ctx, listener, s.handler(), wait+10*time.Second)
}

// prepare makes the course, and opens the lesson if there is only one.
func prepare(ctx context.Context, streams cli.Streams, files []string, language *localization.Language) (*server, error) {
	// What is said while many lessons are made would hide the addresses.
	quiet := cli.Streams{In: streams.In, Out: io.Discard, Err: io.Discard}
	if len(files) == 1 {
		quiet = streams
	}
	course, err := newCourse(files, language, func(ctx context.Context, file string) (*page.Lesson, error) {
		return export.Lesson(ctx, quiet, file, language)
	})
	if err != nil {
		return nil, err
	}
	if len(course.entries) > 1 {
		return newServer(ctx, course, courseTitle(language), language), nil
	}
	file := course.entries[0].Name
	made := course.get(ctx, file)
	if made.err != nil {
		return nil, made.err
	}
	if len(made.lesson.Questions) == 0 {
		fmt.Fprintf(streams.Err, "Warning: %s asks no questions: the class can follow, but there is nothing to vote on\n"+
			"Try: a lesson of kubestep list\n", file)
	}
	course.entries[0].Title = made.lesson.Title
	s := newServer(ctx, course, made.lesson.Title, language)
	s.class.Prepare(file)
	s.class.Open(made.lesson)
	return s, nil
}

// openPlayground opens the folder of the playground; nil if none is named, and none is beside the program.
func openPlayground(dir string) (*web.Site, error) {
	site, err := web.Open(dir, "--playground")
	if usage := (*cli.UsageError)(nil); dir == "" && errors.As(err, &usage) {
		return nil, nil
	}
	return site, err
}

// doorsOf are the addresses under which students reach the class.
func doorsOf(names []string, code string) (doors []page.Door, err error) {
	for _, name := range names {
		door := page.Door{Host: "http://" + name, URL: "http://" + name + "/?code=" + code}
		drawn, err := qr.New(door.URL)
		if err != nil {
			return nil, err
		}
		door.Code, door.Width = drawn.Path(), drawn.Width()
		doors = append(doors, door)
	}
	return doors, nil
}

// welcome says how the class and the presenter get in. In a terminal, the first address is a QR code, too.
func (s *server) welcome(streams cli.Streams, doors []page.Door) error {
	if cli.IsTerminal(streams.Out) {
		drawn, err := qr.New(doors[0].URL)
		if err != nil {
			return err
		}
		fmt.Fprint(streams.Out, drawn.Terminal())
	}
	for _, door := range doors {
		fmt.Fprintf(streams.Out, "The class opens  %s\n", door.URL)
	}
	fmt.Fprintf(streams.Out, "You open         %s/present?key=%s\n", doors[0].Host, s.key)
	_, err := fmt.Fprintln(streams.Out, "Ctrl-C ends the class.")
	return err
}
