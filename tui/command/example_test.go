package command_test

import (
	"fmt"
	"io"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/tui/command"
)

// A program is kubestep with a controller of its own: spec.controllers of a scenario can name it.
func ExampleMain() {
	code := command.Main([]string{"run", "none.yaml"}, command.Options{
		Out: io.Discard, Err: io.Discard,
		Controllers: map[string]controllers.Custom{"mine": controllers.Builtin["podcounter"]},
	})
	fmt.Println(code)
	// Output: 2
}
