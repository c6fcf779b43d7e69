package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"sync"

	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// The parts in a class: a student's page follows the presenter's.
const (
	Student   = "student"
	Presenter = "presenter"
)

// Classroom is the page of a class, for a part in it. It talks to the server that it comes from (scenarios/web/teach), and asks that for
// the lessons that it shows.
type Classroom struct {
	// Title is what the class is about.
	Title string `json:"title"`
	// Part is Student or Presenter.
	Part string `json:"part"`
	// The rest is for the presenter: how students join, the lessons to choose from, and whether there is a playground.
	Doors      []Door   `json:"doors,omitempty"`
	Code       string   `json:"code,omitempty"`
	Course     []Course `json:"course,omitempty"`
	Playground bool     `json:"playground,omitempty"`
	// Language is that of the page, and Texts are its own texts, which Page sets; nil for English.
	Language *localization.Language `json:"-"`
	Texts    map[string]string      `json:"texts,omitempty"`
}

// Door is an address under which students reach the class.
type Door struct {
	// Host is what somebody types who then enters the code, and URL what needs no code.
	Host string `json:"host"`
	URL  string `json:"url"`
	// Code is the QR code of the URL: the path of its black part in an SVG picture of this width and height.
	Code  string `json:"code"`
	Width int    `json:"width"`
}

// Course is a lesson to choose.
type Course struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Unit  string `json:"unit,omitempty"`
	Level string `json:"level,omitempty"`
	// Shipped says that the lesson comes with kubestep, so that the playground knows it by its name.
	Shipped bool `json:"shipped,omitempty"`
}

//go:embed class.css
var classRules string

//go:embed class.html
var classFrame string

// classStyle and classScript are those of the page of a class.
var (
	classStyle  = sync.OnceValue(func() string { return style() + classRules })
	classScript = sync.OnceValue(func() string { return scriptWith("class/*.js") })
)

// Page is the document.
func (c Classroom) Page() ([]byte, error) {
	c.Texts = c.Language.Pages()
	// The encoder escapes what could end the element.
	data, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("encode the class: %w", err)
	}
	return []byte(strings.NewReplacer(
		"{{.Language}}", c.Language.String(),
		"{{.NoScript}}", html.EscapeString(c.Language.Page("This page needs JavaScript, which it contains.")),
		"{{.Title}}", html.EscapeString(visible.Line(c.Title)), "{{.Style}}", classStyle(), "{{.Script}}", classScript(),
		"{{.Data}}", string(data),
		"{{.StyleHash}}", integrity(classStyle()), "{{.ScriptHash}}", integrity(classScript()),
	).Replace(classFrame)), nil
}

// Join is the page that asks for the code of a class.
func Join(language *localization.Language, title, trouble string) []byte {
	if trouble != "" {
		trouble = fmt.Sprintf("<p class=\"wrong\" role=\"alert\">%s</p>\n", html.EscapeString(trouble))
	}
	return []byte(document(language, classStyle(), "form-action 'self'", fmt.Sprintf(`<main class="lobby"><h1>%s</h1>
%s<form action="/" method="get"><p><label>%s<br>
<input type="text" name="code" size="8" autocomplete="off" autocapitalize="none" spellcheck="false" autofocus></label></p>
<p><button class="main">%s</button></p></form></main>
`, html.EscapeString(visible.Line(title)), trouble, html.EscapeString(language.Page("The code of the class")),
		html.EscapeString(language.Page("Join")))))
}

// document is a page without a script. forms says where its forms may lead.
func document(language *localization.Language, style, forms, body string) string {
	return fmt.Sprintf(`<!doctype html>
<html lang="%s">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; %s">
<title>kubestep</title>
<style>%s</style>
</head>
<body>
<div id="app">
%s</div>
</body>
</html>
`, language, integrity(style), forms, style, body)
}
