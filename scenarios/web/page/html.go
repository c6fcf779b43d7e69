package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

//go:embed page.html
var frame string

//go:embed page.css
var rules string

// style are the colors and the rules of a page. Most processes write no page, so it is made when it is needed.
var style = sync.OnceValue(func() string { return palette.CSS(":root", true) + rules })

//go:embed element.js theme.js packed.js file.js player/*.js class/*.js
var scripts embed.FS

// script is the player and what starts it in a page that is a file.
var script = sync.OnceValue(func() string { return scriptWith("packed.js", "file.js") })

// scriptWith is the player and its host, in one or more files. The player is one function of an element, a recording and its host: the
// files of the folder, in the order of their names, share their names, and nothing else sees these. The playground is made of the same
// files by scenarios/web/playground/site/build.mjs.
func scriptWith(host ...string) string {
	read := func(pattern string) string {
		files, _ := fs.Glob(scripts, pattern)
		var b strings.Builder
		for _, file := range files {
			text, _ := fs.ReadFile(scripts, file)
			b.Write(text)
		}
		return b.String()
	}
	script := "\"use strict\";\n" + read("element.js") + read("theme.js") +
		"function player(app, lesson, host) {\n" + read("player/*.js") + "}\n"
	for _, pattern := range host {
		script += read(pattern)
	}
	return script
}

// Write writes the page. Hidden characters of the recording are shown by their numbers.
func (l *Lesson) Write(out io.Writer) error {
	data, err := l.packed()
	if err != nil {
		return err
	}
	title := l.Title
	if title == "" {
		title = l.Name
	}
	// The texts are put in in one pass, so that none of them is searched for the names of the others.
	_, err = strings.NewReplacer(
		"{{.Language}}", l.language.String(),
		"{{.NoScript}}", html.EscapeString(l.language.Page("This page needs JavaScript, which it contains. It loads nothing.")),
		"{{.Title}}", html.EscapeString(visible.Line(title)), "{{.Style}}", style(), "{{.Script}}", script(), "{{.Data}}", data,
		"{{.StyleHash}}", integrity(style()), "{{.ScriptHash}}", integrity(script()),
	).WriteString(out, frame)
	if err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// packed are the data as they are in the page: compressed, in base64.
func (l *Lesson) packed() (string, error) {
	data, err := l.Data()
	return base64.StdEncoding.EncodeToString(data), err
}

// Data are what the player shows, as JSON that is compressed with gzip. Hidden characters are shown by their numbers.
func (l *Lesson) Data() ([]byte, error) {
	document, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("encode the lesson: %w", err)
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress the lesson: %w", err)
	}
	if _, err = w.Write(visible.JSON(document)); err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compress the lesson: %w", err)
	}
	return packed.Bytes(), nil
}

// integrity is the hash with which a Content-Security-Policy allows an inline script or style.
func integrity(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}
