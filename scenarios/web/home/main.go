// Home writes the site of the project into a folder, from the pages of documentation, the README, and the pages of lessons that kubestep
// export --all has written into the folder before:
//
//	index.html          what kubestep is, its film, how to begin
//	lessons/index.html  the course; lessons/gallery.html is the gallery
//	docs/index.html     the documentation, by its kinds
//	playground/         the playground, if it is built
//	search-index.js     what the search knows
//
// Usage: go run ./scenarios/web/home -o DIR [-root DIR] [-web DIR] [-version V]
//
// It fails if a link of a page leads nowhere, if a page loads something from another host, or if the first picture is too large.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/web/home/internal/links"
	"github.com/kubestep/kubestep/scenarios/web/internal/catalog"
	"github.com/kubestep/kubestep/scenarios/web/internal/document"
)

// built are the rights of what is built: it replaces what was built before.
var built = output.Rights{Force: true}

// repository is where links to files lead that are not part of the site.
const repository = "https://github.com/kubestep/kubestep"

// site is a site that is being made.
type site struct {
	// root is the folder of the repository, web that of the playground.
	out, root, web string
	// ref is the tag or the branch of the repository that links lead to.
	ref   string
	pages []*text
	// byPath are the pages by their paths in the repository.
	byPath map[string]*text
	// lessons are the pages of scenarios, and scenarios their names; empty where there are none.
	lessons   catalog.Catalog
	scenarios map[string]bool
	// playground reports whether the site has it.
	playground bool
}

// tag is a version that has a tag.
var tag = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[a-z]+\.\d+)?$`)

func main() {
	s := &site{ref: "main"}
	version := ""
	flag.StringVar(&s.out, "o", "", "the folder of the site")
	flag.StringVar(&s.root, "root", ".", "the folder of the repository")
	flag.StringVar(&s.web, "web", "", "the folder of the playground")
	flag.StringVar(&version, "version", "", "the version of kubestep")
	flag.Parse()
	if s.out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if tag.MatchString(version) {
		s.ref = version
	}
	if err := s.make(); err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		os.Exit(1)
	}
}

// make writes all that is not there yet, and checks all of it.
func (s *site) make() error {
	if err := s.readLessons(); err != nil {
		return err
	}
	if err := s.readPages(); err != nil {
		return err
	}
	for _, write := range []func() error{s.copyPlayground, s.writeLessons, s.writeDocs, s.writeHome, s.writeIndex} {
		if err := write(); err != nil {
			return err
		}
	}
	mistakes, err := links.Check(os.DirFS(s.out))
	if err != nil {
		return err
	}
	if len(mistakes) > 0 {
		return errors.New(strings.Join(mistakes, "\n"))
	}
	fmt.Printf("%s: %d lessons and scenarios, %d pages of documentation; begin with %s\n",
		s.out, len(s.lessons.Entries), len(s.pages), filepath.Join(s.out, "index.html"))
	return nil
}

// readLessons reads what kubestep export --all has written.
func (s *site) readLessons() error {
	course, err := os.ReadFile(filepath.Join(s.out, "lessons", catalog.CourseFile))
	if err != nil {
		return fmt.Errorf("there are no lessons: %w. Try: make site", err)
	}
	if s.lessons, err = catalog.Read(string(course)); err != nil {
		return err
	}
	s.scenarios = map[string]bool{}
	for _, e := range s.lessons.Entries {
		s.scenarios[e.Name] = true
	}
	return nil
}

// writeLessons writes the lists of lessons and scenarios again, with the links of the site.
func (s *site) writeLessons() error {
	page := s.page("", "../")
	of := catalog.Site{Home: page.Home, Links: page.Links, Index: page.Index}
	course, err := s.lessons.Course(of)
	if err != nil {
		return err
	}
	return errors.Join(s.write("lessons/"+catalog.CourseFile, course), s.write("lessons/"+catalog.GalleryFile, s.lessons.Gallery(of)))
}

// page is a page with the links of the site. root leads from the page to the folder of the site: "" or "../"; here is the title of the link
// to the part that the page belongs to.
func (s *site) page(here, root string) document.Page {
	play := document.Link{Title: "Playground", Href: root + "playground/index.html"}
	if !s.playground {
		play.Href = root + "docs/howto/run-in-a-browser.html"
	}
	p := document.Page{Home: root + "index.html", Index: root + "search-index.js", Links: []document.Link{
		{Title: catalog.CourseTitle, Href: root + "lessons/" + catalog.CourseFile},
		{Title: catalog.GalleryTitle, Href: root + "lessons/" + catalog.GalleryFile},
		play, {Title: "Documentation", Href: root + "docs/index.html"},
	}}
	for i := range p.Links {
		p.Links[i].Here = p.Links[i].Title == here
	}
	return p
}

// copyPlayground copies the playground, if all of it is built: that takes an hour, and a site is of use without it.
func (s *site) copyPlayground() error {
	for _, name := range []string{"index.html", "engine.json", "worker.js"} {
		if _, err := os.Stat(filepath.Join(s.web, name)); err != nil || s.web == "" {
			return nil
		}
	}
	s.playground = true
	err := fs.WalkDir(os.DirFS(s.web), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(s.web, name))
		if err != nil {
			return fmt.Errorf("copy the playground: %w", err)
		}
		return s.write("playground/"+name, string(text))
	})
	if err != nil {
		return err
	}
	around, err := json.Marshal(s.around())
	if err != nil {
		return err
	}
	return s.write("playground/site.json", string(around))
}

// around is what the playground knows of the site: links to the other parts, and the folder with the pages of scenarios, whose recordings
// it shows while its engine loads.
func (s *site) around() any {
	type link struct {
		Title string `json:"title"`
		Href  string `json:"href"`
	}
	links := []link{{"Home", "../index.html"}}
	for _, l := range s.page("Playground", "../").Links {
		if !l.Here {
			links = append(links, link{l.Title, l.Href})
		}
	}
	return map[string]any{"links": links, "films": "../lessons/"}
}

// write writes a file of the site.
func (s *site) write(name, text string) error {
	path := filepath.Join(s.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write the site: %w", err)
	}
	return output.WriteFile(path, []byte(text), built)
}
