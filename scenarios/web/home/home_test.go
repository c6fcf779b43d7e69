package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/web/internal/catalog"
)

// made is a site of the repository's documentation, in which the pages of scenarios are empty: kubestep export --all would run them all.
func made(t *testing.T) *site {
	t.Helper()
	s := &site{out: t.TempDir(), root: "../../..", ref: "main"}
	pages := catalog.Catalog{Kubernetes: "v1.37.2"}
	err := fs.WalkDir(os.DirFS(filepath.Join(s.root, "scenarios")), ".", func(name string, entry fs.DirEntry, err error) error {
		top, _, _ := strings.Cut(name, "/")
		if err != nil || path.Ext(name) != ".yaml" || top != "lessons" && top != "bugs" && top != "controllers" && top != "conformance" {
			return err
		}
		e := catalog.Entry{Name: strings.TrimSuffix(path.Base(name), ".yaml"), Title: "About " + path.Base(name), Group: path.Dir(name)}
		if top == "lessons" {
			e.Unit, e.Number = "1. Workloads", "1.1"
		}
		pages.Entries = append(pages.Entries, e)
		return s.write("lessons/"+e.Name+".html", "<!doctype html>")
	})
	if err != nil {
		t.Fatal(err)
	}
	course, err := pages.Course(catalog.Alone)
	if err == nil {
		err = s.write("lessons/"+catalog.CourseFile, course)
	}
	if err == nil {
		err = s.make()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// has holds that a file of the site has some texts, and not others.
func (s *site) has(t *testing.T, name string, wanted, unwanted []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.out, name))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range wanted {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s", name, want)
		}
	}
	for _, other := range unwanted {
		if strings.Contains(string(text), other) {
			t.Errorf("%s has %s", name, other)
		}
	}
}

// TestTheSite makes the site of this repository: all links of its pages lead somewhere, and each part is where it should be.
func TestTheSite(t *testing.T) {
	s := made(t)
	s.has(t, "index.html", []string{
		"Step through what Kubernetes controllers do", "<strong>real, unmodified controllers", `src="docs/tutorial/images/film.svg"`, "make build",
		`href="lessons/index.html"`, `href="docs/howto/run-in-a-browser.html"`, `href="docs/index.html"`, `id="quick-start"`, "lessons that play",
	}, []string{"contains:", "raw HTML", "playground/"})
	s.has(t, "lessons/index.html", []string{`href="../index.html"`, `href="../docs/index.html"`, `href="create.html"`, `aria-current="true">Course`}, nil)
	s.has(t, "lessons/gallery.html", []string{`href="autumn-runs-twice.html"`}, []string{`href="create.html"`})
	s.has(t, "docs/index.html", []string{"How-to guides", `href="howto/install.html"`, "Archives, checksums"}, nil)
	s.has(t, "docs/howto/share-a-lesson.html", []string{
		`<h2 id="a-film-for-a-readme">`, `href="#a-film-for-a-readme"`, `aria-current="page">Share`, "<pre tabindex=\"0\">", "<table>",
	}, nil)
	s.has(t, "docs/reference/gallery.html", []string{`href="../../lessons/autumn-runs-twice.html"`}, []string{".yaml\""})
	s.has(t, "docs/reference/glossary.html", []string{`href="https://kubernetes.io/docs/concepts/architecture/"`}, nil)
	s.has(t, "search-index.js", []string{`["docs/howto/share-a-lesson.html"`, `["link-to-an-instant","Link to an instant",`, `["lessons/create.html"`}, nil)
}

// TestThePlayground is part of the site once all of it is built. Until then, the link leads to the page that says how to build it.
func TestThePlayground(t *testing.T) {
	s := &site{out: t.TempDir(), web: t.TempDir()}
	leads := "docs/howto/run-in-a-browser.html"
	for _, name := range []string{"index.html", "worker.js", "engine.json"} {
		if href := s.page("", "").Links[2].Href; href != leads {
			t.Errorf("before %s is built, the link leads to %s", name, href)
		}
		if err := os.WriteFile(filepath.Join(s.web, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.copyPlayground(); err != nil {
			t.Fatal(err)
		}
	}
	s.has(t, "playground/worker.js", []string{"worker.js"}, nil)
	if href := s.page("", "").Links[2].Href; href != "playground/index.html" {
		t.Errorf("the link leads to %s", href)
	}
}
