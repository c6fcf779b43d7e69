package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// addLanguage adds the flag for the language of lessons. It is a flag only: with LANG, one command would print one thing on one machine
// and another thing on the next.
func addLanguage(cmd *cobra.Command, language *string) {
	tags := localization.Tags()
	cmd.Flags().StringVar(language, "language", localization.English,
		"`LANGUAGE` of lessons, questions and the glossary: "+strings.Join(tags, ", "))
	shell.Choices(cmd.Flags(), "language", tags...)
}

// languageOf is the language of the flag.
func languageOf(tag string) (*localization.Language, error) {
	language, err := localization.Open(tag)
	if err != nil {
		return nil, cli.Usage("--language: "+err.Error(), "--language "+localization.Tags()[1])
	}
	return language, nil
}
