package export

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/web/internal/catalog"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/scenarios/web/picture"
	"github.com/kubestep/kubestep/sim/recording"
)

// Site writes a page for each scenario that comes with kubestep, and the course and the gallery that lead to them, and says what it has
// written. It takes no seed. A folder that cannot be made is a *cli.UsageError or an *output.Error.
func Site(ctx context.Context, streams cli.Streams, options Options) error {
	e := export{streams, options}
	if e.Out == "" {
		e.Out = "site"
	}
	if err := output.Folder(e.Out); err != nil {
		return err
	}
	files, err := library.Files()
	if err != nil {
		return err
	}
	var done atomic.Int64
	stop := output.ShowLine(e.streams.Err, func(elapsed time.Duration) string {
		return fmt.Sprintf("%d of %d pages, %s", done.Load(), len(files), elapsed.Round(time.Second))
	})
	defer stop()
	entries := make([]catalog.Entry, len(files))
	for i, file := range files {
		if entries[i], err = entryOf(file); err != nil {
			return err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i := range entries {
		group.Go(func() error {
			defer done.Add(1)
			return e.one(ctx, &entries[i], next(entries, i))
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := e.lists(catalog.Catalog{Kubernetes: controllers.KubernetesVersion, Entries: entries}); err != nil {
		return err
	}
	stop()
	fmt.Fprintf(e.streams.Out, "%s: %d pages; begin with %s\n", e.Out, len(entries), filepath.Join(e.Out, catalog.CourseFile))
	return nil
}

// lists writes the pages that lead to all others.
func (e *export) lists(c catalog.Catalog) error {
	course, err := c.Course(catalog.Alone)
	if err != nil {
		return err
	}
	for name, text := range map[string]string{catalog.CourseFile: course, catalog.GalleryFile: c.Gallery(catalog.Alone)} {
		path := filepath.Join(e.Out, name)
		if err := output.WriteFile(path, []byte(text), e.rights(path)); err != nil {
			return err
		}
	}
	return nil
}

// courseGroup is the group of the lessons, of which some are in a folder of their own.
const courseGroup = "lessons"

// entryOf describes the page of a scenario before it runs.
func entryOf(file string) (catalog.Entry, error) {
	scenario, err := library.Load(file)
	if err != nil {
		return catalog.Entry{}, err
	}
	entry := catalog.Entry{
		Name: scenario.Metadata.Name, Group: path.Dir(file), Title: scenario.Spec.Title,
		Level: scenario.Metadata.Labels["level"], Status: scenario.Metadata.Annotations[annotation.Status],
		Summary: scenario.Metadata.Annotations[annotation.Summary],
	}
	if lesson, found := syllabus.Find(entry.Name); found {
		entry.Group, entry.Unit, entry.Number = courseGroup, lesson.Heading(), lesson.Number
	}
	return entry, nil
}

// next is the lesson that follows one in the course; nil after the last, and for what is not in the course.
func next(entries []catalog.Entry, i int) *catalog.Entry {
	after := library.After(entries[i].Name)
	if j := slices.IndexFunc(entries, func(e catalog.Entry) bool { return e.Name == after }); j >= 0 {
		return &entries[j]
	}
	return nil
}

// one writes the pages of one scenario: in English, and in each language that has its texts.
func (e *export) one(ctx context.Context, of, next *catalog.Entry) error {
	languages, err := localization.Of(of.Name)
	if err != nil {
		return err
	}
	of.Translations = translations(of.Name, languages, nil)[1:]
	for _, language := range append([]*localization.Language{nil}, languages...) {
		lesson, err := e.paged(ctx, of, language)
		if err != nil {
			return fmt.Errorf("%s: %w", of.Name, err)
		}
		leads(lesson, of, next, languages, language)
		folder := filepath.Join(e.Out, folderOf(language))
		if err := output.Folder(folder); err != nil {
			return err
		}
		if _, err := e.write(lesson, filepath.Join(folder, of.Name+".html")); err != nil {
			return err
		}
	}
	return nil
}

// paged is the page of a scenario in a language. The English one tells what the lists say of it.
func (e *export) paged(ctx context.Context, of *catalog.Entry, language *localization.Language) (*page.Lesson, error) {
	scenario, err := library.Load(of.Name)
	if err != nil {
		return nil, err
	}
	rec, err := record(ctx, child.Run{File: of.Name}, scenario, language)
	if err != nil {
		return nil, err
	}
	lesson, err := lessonOf(ctx, rec, of.Name, scenario, Options{Language: language})
	if err != nil || language != nil {
		return lesson, err
	}
	of.Length = lesson.Length()
	for _, b := range lesson.Beats {
		if b.Ask != nil {
			of.Questions++
		}
	}
	if of.Unit != "" {
		of.Still, err = e.still(rec, of.Name)
	}
	return lesson, err
}

// still writes the picture of a lesson for the list of all, and returns the name of its file. It is empty for a run without objects, of
// which there is no picture.
func (e *export) still(rec *recording.Recording, name string) (file string, err error) {
	text, err := picture.Still(rec)
	if err != nil {
		return "", nil
	}
	file = name + ".svg"
	path := filepath.Join(e.Out, file)
	return file, output.WriteFile(path, []byte(text), e.rights(path))
}
