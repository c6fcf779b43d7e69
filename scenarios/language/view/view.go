// Package view is the table of the views of a run: how a scenario, a link and a key name each of them, and whether a page has a tab for it.
//
// The terminal has a pane for each row (tui/internal/views), a page a tab (scenarios/web/page), and the verb show names a row:
//
//   - show: {view: decisions, focus: [deployment/web]}
//
// To add a view, add a row here and what draws it there; then make golden PKG="./tui/... ./scenarios/language/... ./docs", and review the
// changes. The schema, the references of the verbs and of the keys, and the footer of the terminal follow from the table.
package view

// View is a row of the table.
type View struct {
	// Word names the view in a scenario and in a link.
	Word string
	// Key shows it in the terminal. Name and About are for people.
	Key, Name, About string
	// Page says that a page has a tab for it, which the same key shows. A view that only the terminal has is nothing that a scenario
	// can ask for.
	Page bool
}

// The views, by what they are about.
var (
	Stage      = &View{"stage", "0", "Stage", "programs, objects, nodes and messages", true}
	Rollout    = &View{"rollout", "1", "Rollout", "workloads and their Pods", true}
	Loop       = &View{"loop", "2", "Loop", "one sync of a controller", true}
	Queues     = &View{"queues", "3", "Queues", "work queues and caches", true}
	Objects    = &View{"objects", "4", "Objects", "YAML, changes, owners, Events, history", true}
	Trace      = &View{"trace", "5", "Trace", "every record", true}
	Branches   = &View{"branches", "6", "Branches", "runs with a different step", false}
	Components = &View{"components", "7", "Components", "who talks to whom", true}
	Decisions  = &View{"decisions", "8", "Decisions", "what a controller changed, and why", true}
)

// All are the views in the order of their keys.
var All = []*View{Stage, Rollout, Loop, Queues, Objects, Trace, Branches, Components, Decisions}

// Tab is a tab of a page. Its key is that of the view in the terminal.
type Tab struct {
	Word string `json:"word"`
	Name string `json:"name"`
	Key  string `json:"key"`
}

// Tabs are the tabs of a page: the views that it shows, in their order.
func Tabs() (tabs []Tab) {
	for _, v := range All {
		if v.Page {
			tabs = append(tabs, Tab{v.Word, v.Name, v.Key})
		}
	}
	return tabs
}

// Named is a view by its word; nil if there is none.
func Named(word string) *View {
	for _, v := range All {
		if v.Word == word {
			return v
		}
	}
	return nil
}

// Directed are the words of the views that a scenario can ask for.
func Directed() (words []string) {
	for _, v := range All {
		if v.Page {
			words = append(words, v.Word)
		}
	}
	return words
}
