package busybox

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// awkProgram is the form of awk's programs that are supported: print for all lines, for those that a pattern matches, or for those of a
// number.
var awkProgram = regexp.MustCompile(`^\s*(?:/((?:[^/\\]|\\.)*)/|NR\s*==\s*(\d+))?\s*(?:\{\s*print\s*(.*?)\s*;?\s*\})?\s*$`)

// awk is awk [-F SEPARATOR] PROGRAM [FILE]..., with programs such as '{print $1, "of", $NF}'.
func awk(p *oci.Process) int {
	set := flags(p)
	separator := set.StringP("separator", "F", " ", "")
	words, ok := parse(p, set)
	if !ok || len(words) == 0 {
		return complain(p, "usage: awk [-F SEPARATOR] PROGRAM [FILE]...")
	}
	parts := awkProgram.FindStringSubmatch(words[0])
	if parts == nil {
		return complain(p, "%v: only print, with a pattern or without, is known here", errScript)
	}
	pattern, err := regexp.Compile(parts[1])
	if err != nil {
		return complain(p, "%v", err)
	}
	number, _ := strconv.Atoi(parts[2])
	text, status := all(p, words[1:])
	for i, line := range lines(text) {
		if !pattern.MatchString(line) || number > 0 && number != i+1 {
			continue
		}
		fields := strings.Fields(line)
		if *separator != " " {
			fields = strings.Split(line, *separator)
		}
		var printed []string
		for _, expression := range operands(parts[3]) {
			value, err := valueOf(expression, line, fields, i+1)
			if err != nil {
				return complain(p, "%v", err)
			}
			printed = append(printed, value)
		}
		fmt.Fprintln(p.Stdout, strings.Join(printed, " "))
	}
	return status
}

// operands are what a print command prints; $0 if it names nothing.
func operands(text string) (all []string) {
	if text == "" {
		return []string{"$0"}
	}
	quoted := false
	for _, part := range strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ',' && !quoted
	}) {
		all = append(all, strings.TrimSpace(part))
	}
	return all
}

var term = regexp.MustCompile(`^\s*(?:\$(NF|\d+)|(NF|NR)|"((?:[^"\\]|\\.)*)")`)

// valueOf is the value of an operand: fields, numbers and texts, joined.
func valueOf(expression, line string, fields []string, number int) (value string, err error) {
	for rest := expression; strings.TrimSpace(rest) != ""; {
		parts := term.FindStringSubmatch(rest)
		switch {
		case parts == nil:
			return "", fmt.Errorf("%w: %s", errScript, expression)
		case parts[1] == "NF" && len(fields) > 0:
			value += fields[len(fields)-1]
		case parts[1] == "0", parts[1] == "NF":
			value += line
		case parts[1] != "":
			if n, err := strconv.Atoi(parts[1]); err == nil && n <= len(fields) {
				value += fields[n-1]
			}
		case parts[2] != "":
			value += strconv.Itoa(map[string]int{"NF": len(fields), "NR": number}[parts[2]])
		default:
			value += strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\"`, `"`, `\\`, `\`).Replace(parts[3])
		}
		rest = rest[len(parts[0]):]
	}
	return value, nil
}
