// Package lastwords is what a program of kubestep says when it ends with an error and another program has started it: one line of JSON on
// standard error, with the error and what may help. The program that started it sets a variable of the environment. A person, who sets
// none, reads two lines of text instead, which nobody takes apart.
//
//	{"error":"lesson.yaml:3:1: spec.title: is required","try":"title: Two replicas"}
//
// A controller that is a program of its own (controllers/external) says the same in the same form. It is another module, and does not
// import this package.
package lastwords

import (
	"encoding/json"
	"os"
	"strings"
)

// Variable is set in the environment of a program that another one reads.
const Variable = "KUBESTEP_LAST_WORDS"

// Wanted is the entry of the environment that asks a program for a line of JSON.
const Wanted = Variable + "=json"

// AreWanted reports whether the program that started this one reads the line.
func AreWanted() bool { return os.Getenv(Variable) != "" }

// Words are an error, and what may help; Try is empty if nothing is known.
type Words struct {
	Error string `json:"error"`
	Try   string `json:"try,omitempty"`
}

// Line is the line of JSON, with its end.
func (w Words) Line() []byte {
	line, err := json.Marshal(w)
	if err != nil {
		panic("lastwords: two texts do not marshal: " + err.Error())
	}
	return append(line, '\n')
}

// In finds the first line of words in what a program printed. There is none if it crashed, is no program of kubestep, or is an older one.
func In(printed string) (words Words, ok bool) {
	for line := range strings.Lines(printed) {
		if words, ok = parse(line); ok {
			return words, true
		}
	}
	return Words{}, false
}

// Readable is what a program printed, with each line of words as text makes it.
func Readable(printed string, text func(Words) string) string {
	var out strings.Builder
	for line := range strings.Lines(printed) {
		if words, ok := parse(line); ok {
			line = text(words)
		}
		out.WriteString(line)
	}
	return out.String()
}

func parse(line string) (words Words, ok bool) {
	if !strings.HasPrefix(line, `{"error":`) {
		return Words{}, false
	}
	err := json.Unmarshal([]byte(line), &words)
	return words, err == nil && words.Error != ""
}
