package visible

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestShow shows what becomes of characters that a terminal acts upon or does not show. All others stay, backslashes too.
func TestShow(t *testing.T) {
	for _, test := range []struct{ text, line, lines string }{
		{"web-5d9b4c → 3 Pods, größer, שלום, \\x1b", "web-5d9b4c → 3 Pods, größer, שלום, \\x1b", "web-5d9b4c → 3 Pods, größer, שלום, \\x1b"},
		{"a\nb\tc", `a\nb\tc`, "a\nb\tc"},
		{"\x1b]52;c;ZXZpbA==\a\x1b[2J", `\x1b]52;c;ZXZpbA==\a\x1b[2J`, `\x1b]52;c;ZXZpbA==\a\x1b[2J`},
		{"one\r\ntwo\b\x00\x7f", `one\r\ntwo\b\x00\u007f`, "one\\r\ntwo\\b\\x00\\u007f"},
		{"\u009b31m\u0085", `\u009b31m\u0085`, `\u009b31m\u0085`},
		{"\x9b31m\xff", `\x9b31m\xff`, `\x9b31m\xff`},
		{"\u202a\u202e\u2066\u2069\u200e\u200f\u061c\u2028", `\u202a\u202e\u2066\u2069\u200e\u200f\u061c\u2028`, `\u202a\u202e\u2066\u2069\u200e\u200f\u061c\u2028`},
		{"\u200b\u200c\u200d\u2060\ufeff\u00ad", `\u200b\u200c\u200d\u2060\ufeff\u00ad`, `\u200b\u200c\u200d\u2060\ufeff\u00ad`},
		{"\U000e0041\U000e0100\ufe0f\u3164\u034f", `\udb40\udc41\udb40\udd00\ufe0f\u3164\u034f`, `\udb40\udc41\udb40\udd00\ufe0f\u3164\u034f`},
		{"日本 😀 ₂ e\u0301 \u0600", "日本 😀 ₂ e\u0301 \u0600", "日本 😀 ₂ e\u0301 \u0600"},
	} {
		if got := Line(test.text); got != test.line {
			t.Errorf("Line(%q): %q, want %q", test.text, got, test.line)
		}
		if got := Text(test.text); got != test.lines {
			t.Errorf("Text(%q): %q, want %q", test.text, got, test.lines)
		}
	}
}

// TestWriter shows that a Writer writes the same whatever parts it is given.
func TestWriter(t *testing.T) {
	const text, want = "größer\u202e\x1b[31m→\n\u009b\tx\n", "größer\\u202e\\x1b[31m→\n\\u009b\tx\n"
	for size := 1; size <= len(text); size++ {
		var out bytes.Buffer
		w := NewWriter(&out)
		for at := 0; at < len(text); at += size {
			if _, err := w.Write([]byte(text[at:min(at+size, len(text))])); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != want {
			t.Errorf("in parts of %d bytes: %q", size, out.String())
		}
	}
}

// TestWriterKeepsJSON shows that a JSON document means the same after a Writer.
func TestWriterKeepsJSON(t *testing.T) {
	want := "\x1b[2J\x7f\u009b\u202e\u2028\u200d\U000e0041\\ \n"
	document, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := NewWriter(&out).Write(document); err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got != want {
		t.Errorf("%q: %q, %v", out.String(), got, err)
	}
}

// TestJSON shows that a document decodes to what Text makes of its strings.
func TestJSON(t *testing.T) {
	for _, text := range []string{
		"plain \\ \"quoted\" größer", "two\nlines\t", "\x1b]52;c;ZXZpbA==\a\r\b\f\x7f\u0085", "\\\x1b\\", "\\u001b", "\u202eevil\u2066",
		"we\u200db\U000e0041",
	} {
		document, err := json.Marshal(map[string]string{"a": text, text: "b"})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		if err := json.Unmarshal(JSON(append(document, '\n')), &got); err != nil {
			t.Errorf("%s: %v", document, err)
		}
		if want := Text(text); got["a"] != want || got[want] != "b" {
			t.Errorf("%s: %q", document, got)
		}
	}
}

// TestScreen shows that a screen keeps its colors and no other escape sequence.
func TestScreen(t *testing.T) {
	const colors = "\x1b[1;38;5;78mweb\x1b[0m\nline"
	if got := Screen(colors); got != colors {
		t.Errorf("%q", got)
	}
	if got, want := Screen(colors+"\x1b[2J\u202e\t\x1b]8;;x\a"), colors+`\x1b[2J\u202e\t\x1b]8;;x\a`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
