package command

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/tui/command/shell"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/controllers"
)

// listed is a scenario in the JSON form of list.
type listed struct {
	Name  string `json:"name"`
	Group string `json:"group"`
	// Unit and Lesson are the number of the unit of a lesson and its place in the course, such as 2.3.
	Unit   int    `json:"unit,omitempty"`
	Lesson string `json:"lesson,omitempty"`
	Topic  string `json:"topic,omitempty"`
	Level  string `json:"level,omitempty"`
	Title  string `json:"title"`
}

func newList(streams cli.Streams) *cobra.Command {
	output := "text"
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios that come with kubestep",
		Args:  cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := cli.CheckOutput(output); err != nil {
				return err
			}
			files, err := library.Files()
			if err != nil {
				return err
			}
			list := []listed{}
			for _, file := range files {
				scenario, err := library.Load(file)
				if err != nil {
					return err
				}
				labels := scenario.Metadata.Labels
				lesson, _ := syllabus.Find(scenario.Metadata.Name)
				list = append(list, listed{
					Name: scenario.Metadata.Name, Title: scenario.Spec.Title, Unit: lesson.Unit, Lesson: lesson.Number,
					Group: path.Dir(file), Topic: labels["topic"], Level: labels["level"],
				})
			}
			if output == "json" {
				return json.NewEncoder(streams.Raw()).Encode(list)
			}
			w := tabwriter.NewWriter(streams.Stdout(), 0, 4, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tGROUP\tLESSON\tTOPIC\tLEVEL\tTITLE")
			for _, s := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, s.Group, dash(s.Lesson), dash(s.Topic), dash(s.Level), s.Title)
			}
			return w.Flush()
		},
	}
	shell.OutputFormat(cmd.Flags(), &output, "text", "json")
	return cmd
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func newDescribe(streams cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "describe FILE",
		Short: "Show what a scenario does, without running it",
		Args:  cli.OneScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			scenario, err := runner.Open(args[0])
			if err != nil {
				return err
			}
			describe(streams.Stdout(), scenario)
			return nil
		},
	}
}

func describe(out io.Writer, s *format.Scenario) {
	fmt.Fprintf(out, "Name:     %s\nTitle:    %s\n", s.Metadata.Name, s.Spec.Title)
	if len(s.Metadata.Labels) > 0 {
		var labels []string
		for key, value := range s.Metadata.Labels {
			labels = append(labels, key+"="+value)
		}
		sort.Strings(labels)
		fmt.Fprintf(out, "Labels:   %s\n", strings.Join(labels, ", "))
	}
	if status := s.Metadata.Annotations[annotation.Status]; status != "" {
		fmt.Fprintf(out, "Status:   %s\n", status)
	}
	fmt.Fprintf(out, "Seed:     %d\nHorizon:  %s\n", s.Spec.Seed, s.Spec.Horizon)
	names := s.Spec.Kubernetes.Controllers
	if names == nil {
		names = controllers.Workload
	}
	fmt.Fprintf(out, "Runs:     %s\n", strings.Join(names, ", "))
	if background := s.Background(); background != "" {
		fmt.Fprintf(out, "\n%s\n", background)
	}
	if len(s.Spec.Faults) > 0 {
		fmt.Fprintln(out, "\nFaults:")
		for i, f := range s.Spec.Faults {
			fmt.Fprintf(out, "  %2d  %s\n", i, verb.DescribeFault(f))
		}
	}
	fmt.Fprintln(out, "\nSteps:")
	for i, step := range s.Spec.Steps {
		fmt.Fprintf(out, "  %2d  %s\n", i, step.Describe())
	}
	if len(s.Spec.Checks) > 0 {
		fmt.Fprintln(out, "\nChecks:")
		for _, check := range s.Spec.Checks {
			fmt.Fprintf(out, "  %s\n", check.Describe())
		}
	}
}

func newVersion(streams cli.Streams) *cobra.Command {
	output := "text"
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of kubestep, Kubernetes and Go, and the build",
		Args:  cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := cli.CheckOutput(output); err != nil {
				return err
			}
			if output == "json" {
				return version.Get().WriteJSON(streams.Raw())
			}
			return version.Get().WriteText(streams.Stdout())
		},
	}
	shell.OutputFormat(cmd.Flags(), &output, "text", "json")
	return cmd
}
