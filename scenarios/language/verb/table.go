package verb

import (
	"cmp"
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// Row is a row of the table of verbs.
type Row struct {
	format.Syntax
	// Commands are the forms of the verb at a prompt; may be empty.
	Commands []Command
	// Manager manages the fields that the command of kubectl writes; empty means that the command has no name of its own.
	Manager string
}

// requests are the verbs of the steps that are requests of a client, as kubectl sends them. All others change the simulation itself, or
// look at it.
var requests = []Row{
	applyRow, createRow, patchRow, scaleRow, setImageRow, rolloutRow, deleteRow, evictRow,
	cordonRow, uncordonRow, drainRow, labelRow, annotateRow, sendRow, execRow,
}

// IsRequest reports whether a verb is a request of a client.
func IsRequest(keyword string) bool {
	return slices.ContainsFunc(requests, func(row Row) bool { return row.Of.Keyword() == keyword })
}

// Table has the verbs in the order of the reference.
var Table = append(slices.Clone(requests), []Row{
	controllerRow, podRow, imageRow, nodeRow, staticPodRow, loadRow, editRow, faultRow,
	waitRow, noteRow, askRow, showRow, expectRow,
}...)

// All is the part of the table that the format needs: format.Load(file, verb.All) reads a scenario.
var All = func() format.Verbs {
	var all format.Verbs
	for _, row := range Table {
		all = append(all, row.Syntax)
	}
	return all
}()

// Managers of fields that requests are recognized by.
const ManagerApply, ManagerSet = "kubectl-client-side-apply", "kubectl-set"

// Manager is who manages the fields that a verb writes, unless the step says otherwise.
func Manager(v format.Verb) string {
	i := slices.IndexFunc(Table, func(row Row) bool { return row.Of.Keyword() == v.Keyword() })
	return cmp.Or(Table[i].Manager, User)
}

// Commands lists the commands of all verbs.
func Commands() []Command {
	var all []Command
	for _, row := range Table {
		all = append(all, row.Commands...)
	}
	return all
}

// Observes reports whether steps with this verb change nothing, so that two runs with and without one do not differ.
func Observes(name string) bool {
	return slices.ContainsFunc(All, func(row format.Syntax) bool {
		role := row.Of.Role()
		return row.Of.Keyword() == name && (role == format.Observation || role == format.Message)
	})
}
