package shell

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choices is the annotation of a flag with the words that its value may be.
const choices = "kubestep.dev/choices"

// Choices notes the words that the value of a flag may be. They complete it.
func Choices(flags *pflag.FlagSet, flag string, words ...string) {
	if err := flags.SetAnnotation(flag, choices, words); err != nil {
		panic("shell: " + err.Error())
	}
}

// directory is the annotation of a flag whose value is a directory, of which cobra's own completion knows.
const directory = cobra.BashCompSubdirsInDir

// Directory notes that the value of a flag is a directory.
func Directory(flags *pflag.FlagSet, flag string) {
	if err := cobra.MarkFlagDirname(flags, flag); err != nil {
		panic("shell: " + err.Error())
	}
}

// OutputFormat adds the flag --output, whose value is one of these words, the first one by default.
func OutputFormat(flags *pflag.FlagSet, output *string, words ...string) {
	last := len(words) - 1
	flags.StringVarP(output, "output", "o", words[0], "output `FORMAT`: "+strings.Join(words[:last], ", ")+" or "+words[last])
	Choices(flags, "output", words...)
}
