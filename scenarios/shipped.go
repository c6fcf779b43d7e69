package scenarios

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/spelling"
)

// Shipped holds the scenarios that come with kubestep: lessons/NAME.yaml and so on.
//
//go:embed lessons controllers conformance bugs
var Shipped embed.FS

// Course is the order in which a class takes the lessons: docs/tutorial/class.md.
var Course = []string{
	"reconcile-loop", "create", "rolling-update", "surge-or-unavailable", "one-replica", "surge-3-unavailable-2", "rounding",
	"stuck-rollout", "rollover", "pause-and-resume", "recreate", "terminating-pods", "proportional-scaling", "conflict",
	"stale-cache", "back-off", "leader-election", "controller-manager-tour",
}

// groups are the folders of Shipped in the order in which somebody new looks at them.
var groups = []string{"lessons", "controllers", "bugs", "conformance"}

// ShippedFiles lists the paths in Shipped: the lessons in the order of the course, then the other folders, sorted.
func ShippedFiles() ([]string, error) {
	var files []string
	err := fs.WalkDir(Shipped, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Ext(name) == ".yaml" {
			files = append(files, name)
		}
		return err
	})
	rank := func(file string) int {
		folder, rest, _ := strings.Cut(file, "/")
		lesson := slices.Index(Course, strings.TrimSuffix(rest, ".yaml"))
		return slices.Index(groups, folder)*len(Course) + max(lesson, 0)
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return files, err
}

// LoadShipped reads a shipped scenario by its path in Shipped, with or without the leading scenarios/ and
// the ending, or by its file's name alone.
func LoadShipped(name string) (*Scenario, error) {
	files, err := ShippedFiles()
	if err != nil {
		return nil, err
	}
	wanted := strings.TrimSuffix(strings.TrimPrefix(name, "scenarios/"), ".yaml")
	var names []string
	for _, file := range files {
		base := strings.TrimSuffix(path.Base(file), ".yaml")
		names = append(names, base)
		if strings.TrimSuffix(file, ".yaml") == wanted || base == wanted {
			data, err := fs.ReadFile(Shipped, file)
			if err != nil {
				return nil, err
			}
			return Parse("scenarios/"+file, data)
		}
	}
	return nil, ErrorList{{
		File: name, Message: fmt.Sprintf("no such file, and no scenario %q comes with kubestep", name),
		Try: tryNearest(wanted, names),
	}}
}

func tryNearest(name string, names []string) string {
	if near := spelling.Nearest(name, names); near != "" {
		return near + ", or kubestep list"
	}
	return "kubestep list"
}

// DescribeStep is one line about a step: when, verb, what.
func DescribeStep(st Step) string {
	when := ""
	switch {
	case st.At != nil:
		when = "at " + st.At.String() + ": "
	case st.After != nil:
		when = "after " + st.After.String() + ": "
	case st.When != "":
		when = "when " + st.When + ": "
	}
	if st.Note != "" {
		first, _, more := strings.Cut(strings.TrimSpace(st.Note), "\n")
		if more {
			first += " ..."
		}
		return when + "note: " + first
	}
	return when + strings.TrimSpace(st.Verb()+" "+actionText(st))
}

// DescribeFault is one line about a standing rule: when, and what goes wrong.
func DescribeFault(f FaultRule) string {
	text := faultText(&f)
	if f.When != "" {
		text = "when " + f.When + ": " + text
	}
	if f.At != nil {
		text = "at " + f.At.String() + ": " + text
	}
	return text
}

// DescribeCheck is one line about a check.
func DescribeCheck(c Check) string {
	text := c.Name + ": "
	switch {
	case c.Always != "":
		text += "always " + c.Always
	case c.Eventually != "":
		text += "eventually " + c.Eventually
	default:
		text += "at the end " + c.AtEnd
	}
	if c.From != "" {
		text += ", from " + c.From
	}
	if c.Until != "" {
		text += ", until " + c.Until
	}
	return text
}
