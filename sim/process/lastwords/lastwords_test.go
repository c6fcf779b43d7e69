package lastwords

import (
	"fmt"
	"testing"
)

// TestIn reads what a program says, whatever else it prints, and takes no other text apart.
func TestIn(t *testing.T) {
	said := Words{"lesson.yaml:3: no \"title\"\nat all", "title: two\u202e"}
	for _, test := range []struct {
		printed string
		want    Words
		ok      bool
	}{
		{string(said.Line()), said, true},
		{"Warning: old\n" + string(said.Line()) + string(Words{Error: "later"}.Line()), said, true},
		{string(Words{Error: "no hint"}.Line()), Words{Error: "no hint"}, true},
		{"Error: of a person's terminal\nTry: nothing\n", Words{}, false},
		{`{"error":"cut off`, Words{}, false},
		{`{"error":""}`, Words{}, false},
		{"", Words{}, false},
	} {
		if got, ok := In(test.printed); got != test.want || ok != test.ok {
			t.Errorf("%q: %+v, %t", test.printed, got, ok)
		}
	}
}

// TestReadable makes text of the words, and leaves the rest.
func TestReadable(t *testing.T) {
	text := func(w Words) string { return fmt.Sprintf("Error: %s\n", w.Error) }
	printed := "saved\n" + string(Words{Error: "no space"}.Line()) + "bye"
	if got := Readable(printed, text); got != "saved\nError: no space\nbye" {
		t.Errorf("%q", got)
	}
}
