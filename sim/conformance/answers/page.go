package answers

import (
	"fmt"
	"strings"
)

// tally counts rows and those that agree, at each front.
type tally struct {
	rows  int
	known map[Front]int
	agree map[Front]int
}

func newTally() *tally { return &tally{known: map[Front]int{}, agree: map[Front]int{}} }

func (t *tally) add(row Row) {
	t.rows++
	for _, front := range Fronts {
		if front == Typed && !row.IsTyped() {
			continue
		}
		t.known[front]++
		if reasonOf(front, row.Name()) == nil {
			t.agree[front]++
		}
	}
}

// Page is docs/reference/answers.md, but for the comment that says what makes it. The tests of the fronts hold it true.
func Page(recording *Recording) string {
	var out strings.Builder
	all, kinds := newTally(), map[string]bool{}
	tallies := map[string]*tally{}
	var groups []string
	for _, row := range Rows() {
		all.add(row)
		verb, kind := row.parts()
		kinds[kind] = true
		if tallies[verb] == nil {
			tallies[verb] = newTally()
			groups = append(groups, verb)
		}
		tallies[verb].add(row)
	}
	fmt.Fprintf(&out, `# Answers of the API server

**kubestep serve answers %d of %d requests as a kube-apiserver %s does**: the same status code, headers and body. The requests
are the rows of a table: each verb, for %d resources, for objects that exist or not, as a dry run, in several media types, with
unknown and duplicate fields, with bodies of another kind or in another namespace, with preconditions, and so on. The answers of a
kube-apiserver with its etcd are recorded; [how to record them](../howto/record-answers.md) says how, and what is compared.

The requests go to three fronts:

- **typed**: the clients of controllers. They can make the requests that Go's types allow, so fewer. They see no headers.
- **HTTP**: clients in the same process that are made of a `+"`rest.Config`"+`
- **serve**: [kubestep serve](../howto/use-kubectl.md)

## Requests that are answered alike

| requests | rows | typed | HTTP | serve |
|---|---|---|---|---|
`, all.agree[Served], all.rows, recording.Version, len(kinds))
	for _, name := range groups {
		fmt.Fprintf(&out, "| %s | %s |\n", name, tallies[name])
	}
	fmt.Fprintf(&out, "| **all** | %s |\n", all)
	out.WriteString(`
## Differences

Each difference has one reason. Most of them are requests that need a node, or a group of the API that is missing.

| rows | front | reason |
|---|---|---|
`)
	for _, d := range Differences {
		for _, front := range d.Fronts {
			n, example := 0, ""
			for _, row := range Rows() {
				if (front != Typed || row.IsTyped()) && reasonOf(front, row.Name()) != nil && d.Match(front, row.Name()) {
					if n++; n == 1 {
						example = row.Name()
					}
				}
			}
			fmt.Fprintf(&out, "| %d, such as `%s` | %s | %s |\n", n, example, front, d.Reason)
		}
	}
	return out.String()
}

// String is the columns of a tally. Where a front can make fewer requests, their number is there.
func (t *tally) String() string {
	columns := []string{fmt.Sprint(t.rows)}
	for _, front := range Fronts {
		text := fmt.Sprint(t.agree[front])
		switch {
		case t.known[front] == 0:
			text = ""
		case t.known[front] < t.rows:
			text += fmt.Sprintf(" of %d", t.known[front])
		}
		columns = append(columns, text)
	}
	return strings.Join(columns, " | ")
}

// parts are what a group of rows does, and the resource of its objects.
func (r Row) parts() (verb, resource string) {
	if at := strings.LastIndex(r.Group, " "); at > 0 {
		return r.Group[:at], r.Group[at+1:]
	}
	return r.Group, ""
}
