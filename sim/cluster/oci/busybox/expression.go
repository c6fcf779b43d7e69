package busybox

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// expression compiles the patterns of grep.
func expression(patterns []string, fixed, extended, ignore, word, whole bool) (*regexp.Regexp, error) {
	var all []string
	for _, p := range patterns {
		for _, one := range strings.Split(p, "\n") {
			switch {
			case fixed:
				one = regexp.QuoteMeta(one)
			case !extended:
				one = basic(one)
			}
			all = append(all, "(?:"+one+")")
		}
	}
	text := strings.Join(all, "|")
	switch {
	case whole:
		text = "^(?:" + text + ")$"
	case word:
		text = `\b(?:` + text + `)\b`
	}
	if ignore {
		text = "(?i)" + text
	}
	return regexp.Compile(text)
}

// basic is a basic regular expression of POSIX as one of package regexp: a\+ becomes a+, and a+ becomes a\+.
func basic(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			if strings.IndexByte("+?|(){}", text[i]) < 0 {
				out.WriteByte('\\')
			}
			out.WriteByte(text[i])
		case strings.IndexByte("+?|(){}", c) >= 0, c == '*' && i == 0:
			out.WriteByte('\\')
			out.WriteByte(c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// edit is one command of sed: an address, and what happens to its lines.
type edit struct {
	line    int
	last    bool
	address *regexp.Regexp
	verb    byte
	pattern *regexp.Regexp
	with    string
	every   bool
	print   bool
}

// sed knows the commands s, p, d and q, each for all lines, those of a number, the last, or those that a pattern matches.
func sed(p *oci.Process) int {
	set := flags(p)
	quiet, extended := set.BoolP("quiet", "n", false, ""), set.BoolP("extended", "E", false, "")
	other := set.BoolP("regexp", "r", false, "")
	scripts := set.StringArrayP("expression", "e", nil, "")
	words, ok := parse(p, set)
	if !ok || len(words) == 0 && len(*scripts) == 0 {
		return failed
	}
	if len(*scripts) == 0 {
		*scripts, words = words[:1], words[1:]
	}
	var edits []edit
	for _, script := range *scripts {
		for _, one := range strings.FieldsFunc(script, func(r rune) bool { return r == '\n' }) {
			e, err := parseEdit(strings.TrimSpace(one), *extended || *other)
			if err != nil {
				return complain(p, "%s: %v", one, err)
			}
			edits = append(edits, e)
		}
	}
	text, status := all(p, words)
	all := lines(text)
	for i, line := range all {
		deleted, quits := false, false
		for _, e := range edits {
			if e.line > 0 && e.line != i+1 || e.last && i+1 != len(all) || e.address != nil && !e.address.MatchString(line) {
				continue
			}
			switch e.verb {
			case 's':
				changed := e.replace(line)
				if e.print && changed != line {
					fmt.Fprintln(p.Stdout, changed)
				}
				line = changed
			case 'p':
				fmt.Fprintln(p.Stdout, line)
			case 'd':
				deleted = true
			case 'q':
				quits = true
			}
		}
		if !deleted && !*quiet {
			fmt.Fprintln(p.Stdout, line)
		}
		if quits {
			break
		}
	}
	return status
}

// replace substitutes in a line.
func (e *edit) replace(line string) string {
	if e.every {
		return e.pattern.ReplaceAllString(line, e.with)
	}
	at := e.pattern.FindStringSubmatchIndex(line)
	if at == nil {
		return line
	}
	return line[:at[0]] + string(e.pattern.ExpandString(nil, e.with, line, at)) + line[at[1]:]
}

// parseEdit reads a command of sed.
func parseEdit(text string, extended bool) (e edit, err error) {
	compile := func(pattern string) (*regexp.Regexp, error) {
		if !extended {
			pattern = basic(pattern)
		}
		return regexp.Compile(pattern)
	}
	switch {
	case strings.HasPrefix(text, "$"):
		e.last, text = true, text[1:]
	case strings.HasPrefix(text, "/"):
		pattern, rest, found := strings.Cut(text[1:], "/")
		if !found {
			return e, errScript
		}
		if e.address, err = compile(pattern); err != nil {
			return e, err
		}
		text = rest
	default:
		digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
		e.line, _ = strconv.Atoi(digits)
		text = text[len(digits):]
	}
	if text == "" || strings.IndexByte("spdq", text[0]) < 0 {
		return e, errScript
	}
	e.verb = text[0]
	if e.verb != 's' {
		if len(text) > 1 {
			return e, errScript
		}
		return e, nil
	}
	if len(text) < 2 {
		return e, errScript
	}
	parts := strings.Split(text[2:], text[1:2])
	if len(parts) != 3 {
		return e, errScript
	}
	if e.pattern, err = compile(parts[0]); err != nil {
		return e, err
	}
	e.with = regexp.MustCompile(`\\(\d)`).ReplaceAllString(strings.ReplaceAll(parts[1], "$", "$$"), "$${$1}")
	e.with = regexp.MustCompile(`(^|[^\\])&`).ReplaceAllString(e.with, "$1$${0}")
	e.every, e.print = strings.Contains(parts[2], "g"), strings.Contains(parts[2], "p")
	return e, nil
}
