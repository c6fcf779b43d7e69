package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// controllerRow is one controller of kube-controller-manager, as kubestep controllers -o json prints it.
type controllerRow struct {
	Name         string   `json:"name"`
	Aliases      []string `json:"aliases,omitempty"`
	Default      bool     `json:"default"`
	FeatureGates []string `json:"featureGates,omitempty"`
	Runs         bool     `json:"runs"`
	// NeedsGates and NeedsConfig are what a scenario must set before the controller runs.
	NeedsGates  []string `json:"needsGates,omitempty"`
	NeedsConfig string   `json:"needsConfig,omitempty"`
	// Reason says why it does not run whatever the scenario sets.
	Reason string `json:"reason,omitempty"`
	state  controllers.State
}

func newControllers(streams cli.Streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "controllers [NAME...]",
		Short: "List the controllers of kube-controller-manager",
		Long: `List the controllers of kube-controller-manager by their canonical names. DEFAULT shows whether
kubernetes.controllers: ["*"] runs a controller, and STATE shows what else the controller needs.`,
		RunE: func(_ *cobra.Command, args []string) error {
			rows, err := controllerRows(args)
			if err != nil {
				return err
			}
			switch output {
			case "text":
				return writeControllers(streams.Stdout(), rows)
			case "json":
				encoder := json.NewEncoder(streams.Raw())
				encoder.SetIndent("", "  ")
				return encoder.Encode(rows)
			}
			return cli.Usage(fmt.Sprintf("unknown output format %q", output), "kubestep controllers -o text or -o json")
		},
	}
	shell.OutputFormat(cmd.Flags(), &output, "text", "json")
	return cmd
}

// controllerRows describes the named controllers, in the order of their names, or all.
func controllerRows(args []string) ([]controllerRow, error) {
	wanted := map[string]bool{}
	for _, name := range args {
		resolved, err := controllers.Resolve([]string{name})
		if err != nil || resolved[0] != strings.TrimPrefix(resolved[0], "-") || resolved[0] == "*" {
			near := spelling.Nearest(name, controllers.Names())
			return nil, cli.Usage(fmt.Sprintf("unknown controller %q", name),
				strings.TrimSpace("kubestep controllers "+near))
		}
		wanted[resolved[0]] = true
	}
	var rows []controllerRow
	for _, d := range controllers.Descriptors() {
		if len(args) > 0 && !wanted[d.Name] {
			continue
		}
		state := d.State()
		row := controllerRow{
			Name: d.Name, Aliases: d.Aliases, Default: d.Default, Runs: state.Runs,
			NeedsGates: state.Gates, NeedsConfig: state.Config, Reason: state.Reason, state: state,
		}
		for _, gate := range d.FeatureGates {
			row.FeatureGates = append(row.FeatureGates, string(gate))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func writeControllers(out io.Writer, rows []controllerRow) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tALIASES\tDEFAULT\tFEATURE GATES\tSTATE")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Name, dash(strings.Join(r.Aliases, " ")), onOff(r.Default),
			dash(strings.Join(r.FeatureGates, " ")), r.state)
	}
	return w.Flush()
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// WriteControllersReference writes the table of docs/reference/controllers.md. shown are the scenarios that
// name a controller.
func WriteControllersReference(out io.Writer, shown map[string][]string) error {
	rows, err := controllerRows(nil)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| controller | aliases | default | feature gates | here | scenarios |\n|---|---|---|---|---|---|")
	for _, r := range rows {
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", r.Name, strings.Join(r.Aliases, ", "), onOff(r.Default),
			strings.Join(r.FeatureGates, ", "), r.state, cmp.Or(strings.Join(shown[r.Name], ", "), "-"))
	}
	return nil
}
