package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	reader "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads pages as GitHub does. What is HTML in a page, such as a comment, is left out.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(ours{}, 100))),
)

// parse reads a page.
func parse(source []byte) ast.Node {
	context := parser.NewContext(parser.WithIDs(&ids{used: map[string]int{}}))
	return markdown.Parser().Parse(reader.NewReader(source), parser.WithContext(context))
}

// render is a page as HTML. What is wider than the page can be scrolled, with the keyboard, too.
func render(source []byte, root ast.Node) (string, error) {
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, root); err != nil {
		return "", fmt.Errorf("render the page: %w", err)
	}
	// In the texts of a page, < is &lt;.
	return strings.NewReplacer("<table>", `<div class="wide" role="group" aria-label="table" tabindex="0"><table>`, "</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`).Replace(b.String()), nil
}

// ids are the names of the headings of a page, as GitHub makes them.
type ids struct{ used map[string]int }

// Generate implements parser.IDs.
func (i *ids) Generate(value []byte, _ ast.NodeKind) []byte {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, string(value))
	n := i.used[name]
	i.used[name]++
	if n > 0 {
		name += fmt.Sprint("-", n)
	}
	return []byte(name)
}

// Put implements parser.IDs.
func (i *ids) Put(value []byte) { i.used[string(value)]++ }

// ours renders what differs from goldmark's own HTML.
type ours struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (ours) RegisterFuncs(to renderer.NodeRendererFuncRegisterer) {
	to.Register(ast.KindHeading, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		n := node.(*ast.Heading)
		id := idOf(n)
		switch {
		case entering:
			fmt.Fprintf(w, `<h%d id="%s">`, n.Level, html.EscapeString(id))
		case n.Level > 1:
			fmt.Fprintf(w, ` <a class="anchor" href="#%s" aria-label="Link to: %s">#</a></h%d>`+"\n",
				html.EscapeString(id), html.EscapeString(plain(n, source)), n.Level)
		default:
			fmt.Fprintf(w, "</h%d>\n", n.Level)
		}
		return ast.WalkContinue, nil
	})
	nothing := func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) { return ast.WalkSkipChildren, nil }
	to.Register(ast.KindHTMLBlock, nothing)
	to.Register(ast.KindRawHTML, nothing)
}

// idOf is the name of a heading.
func idOf(n *ast.Heading) string {
	id, _ := n.AttributeString("id")
	name, _ := id.([]byte)
	return string(name)
}

// plain is the text of a node, with single spaces.
func plain(node ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.HTMLBlock, *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(source))
			}
		default:
			if n.Type() != ast.TypeBlock {
				break
			}
			b.WriteByte(' ')
			if entering && n.FirstChild() == nil {
				b.Write(n.Lines().Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}
