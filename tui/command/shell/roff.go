package shell

import (
	"bytes"
	"strings"

	"github.com/spf13/pflag"
)

// roff is a text in the language of troff, with the macros of man(7).
type roff struct{ bytes.Buffer }

// special are the characters that troff does not print as they are: it makes hyphens of minus signs and quotation marks of
// apostrophes, which cannot be copied into a shell.
var special = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// escape makes a text of troff of a text.
func escape(text string) string { return special.Replace(text) }

func bold(text string) string { return `\fB` + text + `\fR` }

// macro is a line with a macro and its arguments, which are troff already.
func (p *roff) macro(name string, args ...string) {
	p.WriteString("." + name)
	for _, arg := range args {
		p.WriteString(` "` + strings.ReplaceAll(arg, `"`, `\(dq`) + `"`)
	}
	p.WriteString("\n")
}

// line is a line of text, and raw one that is troff already. A period at its begin would be a macro.
func (p *roff) line(text string) { p.raw(escape(text)) }
func (p *roff) raw(text string) {
	if strings.HasPrefix(text, ".") {
		p.WriteString(`\&`)
	}
	p.WriteString(text + "\n")
}

// text is the text of a help: paragraphs, and indented lines that stay as they are.
func (p *roff) text(text string) {
	for i, b := range blocksOf(text) {
		if i > 0 {
			p.macro("PP")
		}
		if b.indented {
			p.indented(strings.Split(b.text, "\n"))
		} else {
			p.filled(b.text)
		}
	}
}

// sourceWidth is how long lines of man pages should be, for those who read them raw.
const sourceWidth = 80

// filled is text that is wrapped to the width of the terminal. In the page, its lines are short, too.
func (p *roff) filled(text string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch word = escape(word); {
		case line == "":
			line = word
		case len(line)+1+len(word) > sourceWidth:
			p.raw(line)
			line = word
		default:
			line += " " + word
		}
	}
	p.raw(line)
}

// indented are lines that stay as they are.
func (p *roff) indented(lines []string) {
	p.macro("RS", "4")
	p.macro("nf")
	for _, line := range lines {
		p.line(strings.TrimPrefix(line, "  "))
	}
	p.macro("fi")
	p.macro("RE")
}

// tagged is a paragraph under a tag, which is troff already.
func (p *roff) tagged(tag, text string) {
	p.macro("TP")
	p.raw(tag)
	p.filled(text)
}

// options are the flags of a command.
func (p *roff) options(flags *pflag.FlagSet) {
	for _, o := range optionsOf(flags) {
		var tags []string
		for _, name := range o.names {
			tags = append(tags, bold(escape(name)))
		}
		tag := strings.Join(tags, ", ")
		switch value := `\fI` + escape(o.value) + `\fR`; {
		case o.value == "":
		case o.optional:
			tag += "[=" + value + "]"
		default:
			tag += " " + value
		}
		p.tagged(tag, o.usage)
	}
}
