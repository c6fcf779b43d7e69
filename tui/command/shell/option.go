package shell

import (
	"strings"

	"github.com/spf13/pflag"
)

// option is a flag as a page shows it.
type option struct {
	// names are the flag as it is typed, the short form first: -o and --output.
	names []string
	// value is the word for the value, empty if the flag takes none.
	value string
	// optional is whether the flag may stand without a value.
	optional bool
	// usage says what the flag does, with the default.
	usage string
}

// optionsOf are the flags that are not hidden.
func optionsOf(flags *pflag.FlagSet) (all []option) {
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		o := option{names: []string{"--" + flag.Name}}
		if flag.Shorthand != "" {
			o.names = []string{"-" + flag.Shorthand, "--" + flag.Name}
		}
		o.value, o.usage = pflag.UnquoteUsage(flag)
		o.optional = o.value != "" && flag.NoOptDefVal != ""
		if said := defaultOf(flag); said != "" && !strings.Contains(o.usage, "default") {
			o.usage += " (default " + said + ")"
		}
		all = append(all, o)
	})
	return all
}

// defaultOf is the default of a flag, empty if it is that of its type.
func defaultOf(flag *pflag.Flag) string {
	switch flag.DefValue {
	case "", "0", "0s", "false", "[]":
		return ""
	}
	return flag.DefValue
}
