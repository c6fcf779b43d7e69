package verb

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/sim/kinds"
)

// Command is the one-line form of a verb: scale deployment/web 5.
type Command struct {
	// Name is the first word, Args what follows it, and About what it does.
	Name, Args, About string
	// Parse creates the verb from as many words as Args has.
	Parse func(args []string) (Verb, error)
	// Complete lists the possible values of each word.
	Complete []Completion
}

// Completion lists the possible values of a word, given the words before it.
type Completion func(s Scene, typed []string) []string

// Scene is the state of the simulation when a command is typed.
type Scene interface {
	// Objects are the objects whose kinds match is, as KIND/NAME.
	Objects(is func(*kinds.Kind) bool) []string
	// Processes are the processes with controllers.
	Processes() []string
	// Watches are the resources that an actor watches, or if it is empty the actors that watch.
	Watches(actor string) []string
}

// words are always the same.
func words(words ...string) Completion { return func(Scene, []string) []string { return words } }

// objects are objects of the kinds of which something is true.
func objects(is func(*kinds.Kind) bool) Completion {
	return func(s Scene, _ []string) []string { return s.Objects(is) }
}

// processes are the processes with controllers.
func processes(s Scene, _ []string) []string { return s.Processes() }

// errChoice means that the first word is none of those that a command takes.
var errChoice = errors.New("unknown word")

// watchers are the actors that watch, and watched what the actor before the word watches.
func watchers(s Scene, _ []string) []string    { return s.Watches("") }
func watched(s Scene, typed []string) []string { return s.Watches(typed[0]) }

// choose sets the field that the first word names to the second one.
func choose(args []string, fields map[string]*string) error {
	field := fields[args[0]]
	if field == nil {
		return errChoice
	}
	*field = args[1]
	return nil
}

// Verb creates the verb from the words after the command's name.
func (c Command) Verb(args []string) (Verb, error) {
	if want := len(strings.Fields(c.Args)); len(args) != want {
		return nil, fmt.Errorf("%s needs %s", c.Name, c.Args)
	}
	v, err := c.Parse(args)
	if errors.Is(err, errChoice) {
		err = fmt.Errorf("%s %s: write %s %s", c.Name, args[0], c.Name, c.Args)
	}
	return v, err
}
