package shell

import "strings"

// block is a part of the text of a help: a paragraph, or indented lines that stay as they are.
type block struct {
	text     string
	indented bool
}

// blocksOf splits a text at its empty lines.
func blocksOf(text string) (all []block) {
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		all = append(all, block{part, strings.HasPrefix(part, " ")})
	}
	return all
}
