// Package links checks that a folder of pages is complete: what a page links to or shows is a file of the folder, an anchor is an element
// of its page, and nothing is loaded from another host.
package links

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// page is what the check needs of a page.
type page struct {
	ids map[string]bool
	// targets are those of links, and loaded those of pictures, styles and scripts, which the browser gets with the page.
	targets, loaded []string
}

// Check reads all pages of a folder, and says what is wrong with them, sorted: one line for each target of each page.
func Check(site fs.FS) (mistakes []string, err error) {
	pages, files := map[string]*page{}, map[string]bool{}
	err = fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name] = true
		if path.Ext(name) != ".html" {
			return nil
		}
		text, err := fs.ReadFile(site, name)
		if err == nil {
			pages[name], err = read(string(text))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for name, p := range pages {
		for _, target := range p.targets {
			if problem := resolve(name, target, pages, files); problem != "" {
				mistakes = append(mistakes, fmt.Sprintf("%s links to %s: %s", name, target, problem))
			}
		}
		for _, target := range p.loaded {
			problem := "a page loads nothing from another host"
			if !outside(target) {
				problem = resolve(name, target, pages, files)
			}
			if problem != "" {
				mistakes = append(mistakes, fmt.Sprintf("%s loads %s: %s", name, target, problem))
			}
		}
	}
	slices.Sort(mistakes)
	return slices.Compact(mistakes), nil
}

// outside reports whether a target is on another host, or no file at all.
func outside(target string) bool {
	to, err := url.Parse(target)
	return err == nil && (to.Scheme != "" || to.Host != "")
}

// resolve says what is wrong with a target of a page; empty if nothing is.
func resolve(from, target string, pages map[string]*page, files map[string]bool) string {
	if outside(target) {
		return ""
	}
	to, err := url.Parse(target)
	if err != nil {
		return err.Error()
	}
	name := from
	if to.Path != "" {
		name = path.Join(path.Dir(from), to.Path)
	}
	if !files[name] {
		return "there is no file " + name
	}
	// A fragment with values, such as #t=6&view=stage, is a place in a film, and not an element.
	if p := pages[name]; to.Fragment != "" && !strings.Contains(to.Fragment, "=") && (p == nil || !p.ids[to.Fragment]) {
		return name + " has no element with this id"
	}
	return ""
}

// read finds the ids and the targets of a page.
func read(text string) (*page, error) {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	p := &page{ids: map[string]bool{}}
	for node := range root.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		for _, attribute := range node.Attr {
			switch attribute.Key {
			case "id":
				p.ids[attribute.Val] = true
			case "href":
				if node.Data == "a" || node.Data == "area" {
					p.targets = append(p.targets, attribute.Val)
				} else {
					p.loaded = append(p.loaded, attribute.Val)
				}
			case "src", "poster", "data", "srcset", "data-index":
				p.loaded = append(p.loaded, attribute.Val)
			}
		}
	}
	return p, nil
}
