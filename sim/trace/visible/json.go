package visible

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// JSON shows the hidden characters inside of the strings of a JSON document, so that Text leaves them alone after
// they are decoded. Newlines and tabs stay. A document without hidden characters is returned as it is.
func JSON(document []byte) []byte {
	var out bytes.Buffer
	done := 0
	for i := 0; i < len(document); {
		c := document[i]
		if c >= ' ' && c < 0x7f && c != '\\' {
			i++
			continue
		}
		size := sizeAt(document[i:])
		if text, hidden := hiddenAt(document[i : i+size]); hidden {
			out.Write(document[done:i])
			quoted, _ := json.Marshal(name(text))
			out.Write(quoted[1 : len(quoted)-1])
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return document
	}
	out.Write(document[done:])
	return out.Bytes()
}

// sizeAt is how many bytes the character or the escape sequence has that a part of a document begins with.
func sizeAt(document []byte) int {
	if document[0] != '\\' {
		_, size := utf8.DecodeRune(document)
		return size
	}
	size := len(`\n`)
	if len(document) > 1 && document[1] == 'u' {
		size = len(`\u001b`)
	}
	return min(size, len(document))
}

// hiddenAt decodes a character or an escape sequence, and says whether it is hidden.
func hiddenAt(document []byte) (string, bool) {
	text := string(document)
	if document[0] == '\\' {
		if json.Unmarshal([]byte(`"`+text+`"`), &text) != nil {
			return "", false
		}
	} else if text == "\n" || text == "\t" || text == "\r" {
		// Blanks between values.
		return "", false
	}
	return text, next(text, "\n\t") == 0
}
