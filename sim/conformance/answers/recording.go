package answers

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// Recording are the answers of one server, by the names of the rows.
type Recording struct {
	// Version is that of Kubernetes, such as v1.37.2.
	Version string
	Answers map[string]Answer
}

const (
	versionLine = "# Kubernetes "
	groupLine   = "## "
	rowLine     = "- "
	// sameLine stands for a body that an earlier row has.
	sameLine = "the body of: "
)

// Text writes a recording: for each group of rows its name, and for each row its name, its status code and headers, and its body. A body
// that has been written already is the name of the first row that has it.
func (r *Recording) Text(rows []Row) string {
	var out strings.Builder
	out.WriteString(versionLine + r.Version + "\n")
	group, first := "", map[string]string{}
	for _, row := range rows {
		answer, ok := r.Answers[row.Name()]
		if !ok {
			continue
		}
		if row.Group != group {
			group = row.Group
			out.WriteString("\n" + groupLine + group + "\n")
		}
		fmt.Fprintf(&out, "%s%s\n%d\n", rowLine, row.What, answer.Code)
		for _, line := range answer.Header {
			out.WriteString(line + "\n")
		}
		if same := first[answer.Body]; same != "" {
			out.WriteString(sameLine + same + "\n")
			continue
		}
		out.WriteString(answer.Body + "\n")
		if len(answer.Body) > len(sameLine)+len(row.Name()) {
			first[answer.Body] = row.Name()
		}
	}
	return out.String()
}

//go:embed testdata/recording.txt
var recorded string

// Recorded is the recording of this module.
func Recorded() (*Recording, error) { return Parse(recorded) }

// Parse reads what Text has written.
func Parse(text string) (*Recording, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	version, ok := strings.CutPrefix(lines[0], versionLine)
	if !ok {
		return nil, fmt.Errorf("line 1: %q: want %sVERSION", lines[0], versionLine)
	}
	r := &Recording{Version: version, Answers: map[string]Answer{}}
	group := ""
	for i := 1; i < len(lines); i++ {
		if name, ok := strings.CutPrefix(lines[i], groupLine); ok {
			group = name
		}
		what, ok := strings.CutPrefix(lines[i], rowLine)
		if !ok {
			continue
		}
		if i+1 >= len(lines) {
			return nil, fmt.Errorf("line %d: the row has no answer", i+1)
		}
		code, err := strconv.Atoi(lines[i+1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %q: want a status code", i+2, lines[i+1])
		}
		answer, row := Answer{Code: code}, i+1
		for i += 2; i < len(lines) && isHeader(lines[i]); i++ {
			answer.Header = append(answer.Header, lines[i])
		}
		if i >= len(lines) {
			return nil, fmt.Errorf("line %d: the row has no body", row)
		}
		answer.Body = lines[i]
		if same, ok := strings.CutPrefix(answer.Body, sameLine); ok {
			answer.Body = r.Answers[same].Body
		}
		r.Answers[Row{Group: group, What: what}.Name()] = answer
	}
	return r, nil
}

func isHeader(line string) bool {
	for _, name := range answered {
		if strings.HasPrefix(line, name+": ") {
			return true
		}
	}
	return false
}
