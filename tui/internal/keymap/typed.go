package keymap

import (
	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// Typed is what can be typed, and what it means.
var Typed = [][2]string{
	{"/scale web", "lines with both words"},
	{"/actor:job", "the name of the actor contains job"},
	{"/verb:delete !pods", "deletes of anything but Pods"},
	{"/object:web-1", "records about an object"},
	{"/kind:event", "records of one kind"},
	{"g 12.4s", "a time"},
	{"g 412", "a record"},
	{"g step:3", "a step of the scenario"},
	{":max-surge 0", "a branch with this number from its start"},
	{":scale deployment/web 5", "a branch with this step here"},
	{":fault conflict 412", "a branch with a fault of explore --every at a record"},
	{":branch 1", "a branch that the scenario prepares"},
	{":look loop", "the inside of what is selected on the stage: loop, queues or objects; esc leads back"},
	{":save branch.yaml", "write the scenario of the branch to a file"},
}

// SaveCommand stands among the commands of a branch.
var SaveCommand = verb.Command{Name: "save", Args: "FILE", About: "write the scenario of this run"}

// Commands are those of a recording.
func Commands() []verb.Command {
	return append(append(branch.Variations(), touch.Commands()...), SaveCommand)
}
