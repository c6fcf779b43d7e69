package page

import (
	"bytes"
	"fmt"
	"html"

	"github.com/kubestep/kubestep/sim/trace/visible"
)

// The parts in a class: a student's page follows the presenter's.
const (
	Student   = "student"
	Presenter = "presenter"
)

// For is the page for a part in a class. It talks to the server that it comes from.
func (l *Lesson) For(part string) ([]byte, error) {
	with := *l
	with.Class = part
	var out bytes.Buffer
	err := with.Write(&out)
	return out.Bytes(), err
}

// Join is the page that asks for the code of a class.
func Join(title string) []byte {
	return []byte(document(style, "form-action 'self'", fmt.Sprintf(`<header><h1>%s</h1></header>
<form action="/" method="get"><p><label>The code of the class: <input type="text" name="code" autocomplete="off" autofocus></label>
<button>Join</button></p></form>
`, html.EscapeString(visible.Line(title)))))
}
