package glossary

import (
	"fmt"
	"strings"
)

const referenceHead = `# Glossary

The terms that lessons, screens and pages use. Terms of Kubernetes mean what the Kubernetes documentation says, and link to it. The
others are kubestep's own: one word for each idea, and the code, the JSON fields, the flags, the screens and the pages use it. The last
column lists words that are not used for the idea; a test (` + "`docs/words_test.go`" + `) rejects those of them that it can recognize.
`

// Reference is docs/reference/glossary.md, but for the comment that says what makes it.
func Reference() string {
	var out strings.Builder
	out.WriteString(referenceHead)
	for _, section := range Sections {
		fmt.Fprintf(&out, "\n## %s\n\n| term | meaning | see | not |\n|---|---|---|---|\n", section.Title)
		for _, term := range section.Terms {
			name := "**" + term.Name + "**"
			if term.Link != "" {
				name = "[" + name + "](" + term.Link + ")"
			}
			if len(term.Aliases) > 0 {
				name += ", " + strings.Join(term.Aliases, ", ")
			}
			view := ""
			if term.View != "" {
				view = "view " + term.View
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", name, term.Meaning, view, strings.Join(term.Not, ", "))
		}
	}
	return out.String()
}
