package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// kind is a kind of documentation: a folder of docs.
type kind struct{ folder, title, name string }

// kinds are those of the navigation, in its order.
var kinds = []kind{
	{"tutorial", "Tutorials", "Tutorial"}, {"howto", "How-to guides", "How-to guide"}, {"explanation", "Explanation", "Explanation"},
	{"reference", "Reference", "Reference"}, {"contributing", "Contributing", "Contributing"}, {"decisions", "Decisions", "Decision"},
}

// text is a page of documentation.
type text struct {
	// path is that of its file in the repository, such as docs/howto/install.md, and out that of its page in the site.
	path, out string
	kind      *kind
	// title is the heading of the page; short and about are what the README calls it and says about it.
	title, short, about string
	rank                int
	source              []byte
	root                ast.Node
	headings            []*ast.Heading
}

// called is the name of the page in lists.
func (d *text) called() string { return cmp.Or(d.short, d.title) }

// readPages reads all pages of documentation, in the order of the README.
func (s *site) readPages() error {
	s.byPath = map[string]*text{}
	err := fs.WalkDir(os.DirFS(s.root), "docs", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		return s.readPage(name)
	})
	if err != nil {
		return fmt.Errorf("read the documentation: %w", err)
	}
	readme, err := os.ReadFile(filepath.Join(s.root, "README.md"))
	if err != nil {
		return fmt.Errorf("read the documentation: %w", err)
	}
	s.order(string(readme))
	return nil
}

// readPage reads a page.
func (s *site) readPage(name string) error {
	folder := strings.SplitN(name, "/", 3)[1]
	of := slices.IndexFunc(kinds, func(k kind) bool { return k.folder == folder })
	if of < 0 {
		return fmt.Errorf("%s is in none of the folders of the navigation", name)
	}
	source, err := os.ReadFile(filepath.Join(s.root, name))
	if err != nil {
		return err
	}
	d := &text{path: name, out: strings.TrimSuffix(name, ".md") + ".html", kind: &kinds[of], source: source, root: parse(source)}
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			d.headings = append(d.headings, h)
		}
		return ast.WalkContinue, nil
	})
	if len(d.headings) == 0 || d.headings[0].Level != 1 {
		return fmt.Errorf("%s does not begin with a heading", name)
	}
	d.title = plain(d.headings[0], source)
	s.pages, s.byPath[name] = append(s.pages, d), d
	return nil
}

// named is a link of the README to a page, with what it says about it.
var named = regexp.MustCompile(`\[([^\]]+)\]\((docs/[^)#]+\.md)\)(?:: ([^\n]+))?`)

// order sorts the pages as the list in the README does, which has short names for them. Pages that it lacks come last, by their titles.
func (s *site) order(readme string) {
	list := section(readme, "Documentation")
	for i, found := range named.FindAllStringSubmatch(list, -1) {
		if d := s.byPath[found[2]]; d != nil && d.short == "" {
			short := []rune(found[1])
			short[0] = unicode.ToUpper(short[0])
			// What follows a link to another page is about that page.
			d.short, d.about, d.rank = string(short), found[3], i-len(list)
		}
	}
	kindOf := func(d *text) int { return slices.IndexFunc(kinds, func(k kind) bool { return k == *d.kind }) }
	slices.SortStableFunc(s.pages, func(a, b *text) int {
		return cmp.Or(cmp.Compare(kindOf(a), kindOf(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.title, b.title))
	})
}

// link rewrites the target of a link in a page: to another page, to a picture, to the film of a scenario, or to the repository. pictures
// are the files that the site needs for it.
func (s *site) link(from, out, target string, shows, names bool) (to, picture string) {
	name, fragment, found := strings.Cut(target, "#")
	if name == "" || strings.Contains(name, ":") {
		return target, ""
	}
	if found {
		fragment = "#" + fragment
	}
	file := path.Join(path.Dir(from), name)
	scenario := strings.TrimSuffix(path.Base(file), ".yaml")
	switch {
	case s.byPath[file] != nil:
		return relative(out, s.byPath[file].out) + fragment, ""
	case shows:
		return relative(out, file), file
	case file == "README.md":
		return relative(out, "index.html"), ""
	case path.Ext(file) == ".yaml" && s.scenarios[scenario] && !names:
		return relative(out, "lessons/"+scenario+".html"), ""
	case path.Ext(file) == "":
		if info, err := os.Stat(filepath.Join(s.root, file)); err == nil && info.IsDir() {
			return repository + "/tree/" + s.ref + "/" + file, ""
		}
	}
	return repository + "/blob/" + s.ref + "/" + file + fragment, ""
}

// relative is the way from a page to a file of the site.
func relative(from, to string) string {
	way, err := filepath.Rel(path.Dir("/"+from), "/"+to)
	if err != nil {
		return to
	}
	return filepath.ToSlash(way)
}

// body is a page of the repository as HTML for a page of the site, whose pictures are copied.
func (s *site) body(from, out string, source []byte, root ast.Node) (string, error) {
	var pictures []string
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		to, picture := "", ""
		switch n := n.(type) {
		case *ast.Link:
			// A link whose text is the name of a file means the file.
			_, names := n.FirstChild().(*ast.CodeSpan)
			to, picture = s.link(from, out, string(n.Destination), false, names)
			n.Destination = []byte(to)
		case *ast.Image:
			to, picture = s.link(from, out, string(n.Destination), true, false)
			n.Destination = []byte(to)
		}
		if picture != "" {
			pictures = append(pictures, picture)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	for _, picture := range pictures {
		text, err := os.ReadFile(filepath.Join(s.root, picture))
		if err == nil {
			err = s.write(picture, string(text))
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", from, err)
		}
	}
	return render(bytes.Clone(source), root)
}
