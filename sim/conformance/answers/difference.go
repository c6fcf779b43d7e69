package answers

import (
	"fmt"
	"reflect"
	"regexp"
)

// Front is a way to the simulated API server.
type Front string

const (
	// Typed are the clients of controllers: client-go's fake clientset, without HTTP. They can make some of the requests.
	Typed Front = "typed"
	// InProcess are the clients of controllers that are made of a rest.Config: HTTP without a connection.
	InProcess Front = "HTTP"
	// Served is kubestep serve.
	Served Front = "serve"
)

// Fronts are all of them.
var Fronts = []Front{Typed, InProcess, Served}

// Difference says why a front answers some rows in another way than a kube-apiserver.
type Difference struct {
	// Fronts are those that answer so.
	Fronts []Front
	// Rows is a regular expression of the names of the rows, from their beginning to their end. All of them differ.
	Rows string
	// Reason is a sentence without a full stop.
	Reason string
}

// Match reports whether a difference is about a row at a front.
func (d Difference) Match(front Front, name string) bool {
	for _, f := range d.Fronts {
		if f == front {
			return regexp.MustCompile("^(?:" + d.Rows + ")$").MatchString(name)
		}
	}
	return false
}

// reasonOf is the difference that is known for a row at a front, nil if there is none.
func reasonOf(front Front, name string) *Difference {
	for i := range Differences {
		if Differences[i].Match(front, name) {
			return &Differences[i]
		}
	}
	return nil
}

// Compare compares the answers of a front with recorded ones: it returns a text for each row that differs without a known reason, for
// each that agrees although it has one, and for each reason without rows.
func Compare(front Front, want, got map[string]Answer) (wrong []string) {
	used := map[*Difference]bool{}
	for _, row := range Rows() {
		name := row.Name()
		have, ok := got[name]
		if !ok {
			continue
		}
		reason := reasonOf(front, name)
		used[reason] = true
		switch same := reflect.DeepEqual(want[name], have); {
		case same && reason != nil:
			wrong = append(wrong, fmt.Sprintf("%s: the answers agree, although %s", name, reason.Reason))
		case !same && reason == nil:
			wrong = append(wrong, fmt.Sprintf("%s\nwant %s\ngot  %s", name, want[name], have))
		}
	}
	for i := range Differences {
		for _, f := range Differences[i].Fronts {
			if f == front && !used[&Differences[i]] {
				wrong = append(wrong, fmt.Sprintf("no row of %s is %q, where %s", front, Differences[i].Rows, Differences[i].Reason))
			}
		}
	}
	return wrong
}

// String is an answer in two lines.
func (a Answer) String() string { return fmt.Sprintf("%d %q\n     %s", a.Code, a.Header, a.Body) }
