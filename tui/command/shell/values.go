package shell

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner/task"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

// request is what the shell wants to complete.
type request struct {
	cmd *cobra.Command
	// args are the arguments before it, typed is its begin, and flag is the one whose value it is; nil for an argument.
	args  []string
	typed string
	flag  *pflag.Flag
}

// list is what may stand in the place of a word.
type list func(request) ([]string, cobra.ShellCompDirective)

// values are the words with which help texts name the values of flags and the arguments of commands.
var values map[string]list

func init() {
	// The list of commands refers to the table.
	values = map[string]list{
		"FILE": scenariosAndFiles, "A": scenariosAndFiles, "B": scenariosAndFiles, "TRACE": files(".jsonl", ".kst"),
		"PATH": anyFile, "FOLDER": folders, "DIR": folders, "TASK": tasks, "REPORT": files(".json"),
		"NAME": names, "CLUSTER": clusters, "KIND/NAME": objects, "NAMESPACE": namespaces, "NAMESPACES": namespaces,
		"FORMAT": chosen, "PALETTE": chosen, "BACKGROUND": chosen, "LANGUAGE": chosen, "SPACES": spaces,
		"SHELL": words(Shells...), "COMMAND": commands,
		"DURATION|COMMAND": words("until", "next", "pause", "speed", "until-quiet", "do", "save"),
		"PLACE":            words("step:"),
		"VERSION":          kubernetes, "VERSIONS": none, "RANGE": none, "CONDITION": none,
		"SERVICE": none, "NODE": none, "SIZE": none, "SEED": none, "NUMBER": none, "DURATION": none, "TIME": none, "TIME or RECORD": none, "COLUMNS": none, "CONTEXT": none,
		"FROM:SEED": none, "TIME or CONDITION": none,
		"ADDRESS": none, "INSTANT": none, "KEYS": none, "SHARD": none, "CHOICES": none, "PLACES": none, "NUMBER or PERCENTAGE": none,
	}
}

func none(request) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// words are fixed.
func words(all ...string) list {
	return func(r request) ([]string, cobra.ShellCompDirective) {
		return beginning(all, r.typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// beginning are the words that begin as what is typed does.
func beginning(all []string, typed string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(word string) bool { return !strings.HasPrefix(word, typed) })
}

// tasks are those of practice.
func tasks(r request) ([]string, cobra.ShellCompDirective) {
	names, err := task.Names()
	if err != nil || len(r.args) > 0 {
		return none(r)
	}
	return beginning(names, r.typed), cobra.ShellCompDirectiveNoFileComp
}

// chosen are the words that the value of a flag may be.
func chosen(r request) ([]string, cobra.ShellCompDirective) {
	return beginning(r.flag.Annotations[choices], r.typed), cobra.ShellCompDirectiveNoFileComp
}

// spaces are the fault spaces.
func spaces(r request) ([]string, cobra.ShellCompDirective) {
	var all []string
	for _, s := range space.All() {
		all = append(all, s.Name)
	}
	return beginning(all, r.typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// kubernetes are the versions of Kubernetes that kubestep can be built for.
func kubernetes(r request) ([]string, cobra.ShellCompDirective) {
	var all []string
	for _, v := range versions.Supported {
		all = append(all, v.Name)
	}
	return beginning(all, r.typed), cobra.ShellCompDirectiveNoFileComp
}

// names are those of controllers, or of scenarios: of --name, none.
func names(r request) ([]string, cobra.ShellCompDirective) {
	switch {
	case r.flag != nil:
		return none(r)
	case r.cmd.Name() == "controllers":
		return beginning(controllers.Names(), r.typed), cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(shipped(), r.typed), cobra.ShellCompDirectiveNoFileComp
}

// clusters are the names of those that run: of step, and not of serve, which runs another one.
func clusters(r request) ([]string, cobra.ShellCompDirective) {
	if r.cmd.Name() != "step" {
		return none(r)
	}
	return beginning(serving.ClusterNames(), r.typed), cobra.ShellCompDirectiveNoFileComp
}

// commands are those of kubestep.
func commands(r request) (all []string, _ cobra.ShellCompDirective) {
	cmd, _, err := r.cmd.Root().Find(r.args)
	if err != nil {
		return none(r)
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			all = append(all, c.Name())
		}
	}
	return beginning(all, r.typed), cobra.ShellCompDirectiveNoFileComp
}

// shipped are the names of the scenarios that come with kubestep, the lessons first.
func shipped() (all []string) {
	files, _ := library.Files()
	for _, file := range files {
		all = append(all, strings.TrimSuffix(path.Base(file), ".yaml"))
	}
	return all
}

// scenarioEndings are those of files in which a command may find a scenario: as such, as a dump, or in a trace.
var scenarioEndings = []string{".yaml", ".yml", ".json", ".jsonl", ".kst"}

// scenariosAndFiles are scenarios that come with kubestep, and files.
func scenariosAndFiles(r request) ([]string, cobra.ShellCompDirective) {
	found, directive := files(scenarioEndings...)(r)
	if strings.Contains(r.typed, "/") {
		return found, directive
	}
	if names := beginning(shipped(), r.typed); len(names) > 0 {
		return append(names, found...), cobra.ShellCompDirectiveNoFileComp
	}
	return found, directive
}

// files are those with one of some endings, and the folders in which there may be more. The shell adds no space after folders.
func files(endings ...string) list {
	return func(r request) (found []string, directive cobra.ShellCompDirective) {
		folder, name := path.Split(r.typed)
		entries, _ := os.ReadDir(expanded(folder))
		directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		for _, entry := range entries {
			is := entry.IsDir()
			if entry.Type()&os.ModeSymlink != 0 {
				info, err := os.Stat(filepath.Join(expanded(folder), entry.Name()))
				is = err == nil && info.IsDir()
			}
			hidden := strings.HasPrefix(entry.Name(), ".") && !strings.HasPrefix(name, ".")
			switch {
			case hidden || !strings.HasPrefix(entry.Name(), name):
			case is:
				found = append(found, folder+entry.Name()+"/")
			case slices.Contains(endings, path.Ext(entry.Name())):
				found = append(found, folder+entry.Name())
				directive = cobra.ShellCompDirectiveNoFileComp
			}
		}
		return found, directive
	}
}

// expanded is a folder as the shell reads it.
func expanded(folder string) string {
	home, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(folder, "~/"); ok && err == nil {
		return filepath.Join(home, rest)
	}
	if folder == "" {
		return "."
	}
	return folder
}

// anyFile is a file to write, or any file to read: what the shell itself completes.
func anyFile(r request) ([]string, cobra.ShellCompDirective) {
	if r.flag != nil && r.flag.Annotations[directory] != nil {
		return folders(r)
	}
	return nil, cobra.ShellCompDirectiveDefault
}

func folders(request) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
