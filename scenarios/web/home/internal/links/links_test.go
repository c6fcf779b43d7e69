package links_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/web/home/internal/links"
)

// TestCheck finds each kind of mistake, and none where there is none.
func TestCheck(t *testing.T) {
	site := fstest.MapFS{}
	for name, text := range map[string]string{
		"index.html":  `<a href="docs/a.html#there">a</a> <a href="#here">b</a> <p id="here"><img src="film.svg"><a href="https://kubernetes.io/">c</a>`,
		"docs/a.html": `<h2 id="there">A</h2> <a href="../index.html">home</a> <a href="../lessons/x.html#t=6&view=stage">x</a>`,
		"lessons/x.html": `<a href="gone.html">a</a> <a href="../docs/a.html#gone">b</a> <a href="../docs">c</a> <img src="gone.svg">
			<script src="https://example.com/a.js"></script> <img src="//example.com/a.png"> <form data-index="../index.js"></form>`,
		"film.svg": "<svg/>",
	} {
		site[name] = &fstest.MapFile{Data: []byte(text)}
	}
	got, err := links.Check(site)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"lessons/x.html links to ../docs/a.html#gone: docs/a.html has no element with this id",
		"lessons/x.html links to ../docs: there is no file docs",
		"lessons/x.html links to gone.html: there is no file lessons/gone.html",
		"lessons/x.html loads ../index.js: there is no file index.js",
		"lessons/x.html loads //example.com/a.png: a page loads nothing from another host",
		"lessons/x.html loads gone.svg: there is no file lessons/gone.svg",
		"lessons/x.html loads https://example.com/a.js: a page loads nothing from another host",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
