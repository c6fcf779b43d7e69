package serving

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/scenarios/serving/internal/running"
)

// DefaultName is the name of a cluster that nobody names.
const DefaultName = running.Default

// ClusterNames are those of the clusters that run, without asking them.
func ClusterNames() []string { return running.Names() }

// Listed is a cluster in the list of kubestep get clusters.
type Listed struct {
	Name     string `json:"name"`
	Scenario string `json:"scenario,omitempty"`
	Address  string `json:"address"`
	// State is nil if the cluster does not answer.
	State      *control.State `json:"state,omitempty"`
	Kubeconfig string         `json:"kubeconfig,omitempty"`
}

// Clusters prints the clusters that run on this machine: as a table, as JSON, or their names.
func Clusters(ctx context.Context, streams cli.Streams, format string) error {
	list := []Listed{}
	for _, c := range running.List(ctx) {
		one := Listed{Name: c.Name, Address: c.Session.URL}
		if !c.Silent {
			one.Scenario, one.State, one.Kubeconfig = c.Session.Name, &c.State, c.Session.Kubeconfig
		}
		list = append(list, one)
	}
	switch {
	case format == "json":
		encoder := json.NewEncoder(streams.Raw())
		encoder.SetIndent("", "  ")
		return encoder.Encode(list)
	case len(list) == 0:
		fmt.Fprintln(streams.Stderr(), "No clusters run; kubestep serve starts one")
	case format == "name":
		for _, one := range list {
			fmt.Fprintln(streams.Stdout(), one.Name)
		}
	default:
		return table(streams.Stdout(), list)
	}
	return nil
}

func table(to io.Writer, list []Listed) error {
	out := tabwriter.NewWriter(to, 0, 0, 3, ' ', 0)
	fmt.Fprintln(out, "NAME\tSCENARIO\tADDRESS\tVIRTUAL TIME\tKUBECONFIG")
	for _, one := range list {
		time := "does not answer"
		if one.State != nil {
			time = fmt.Sprintf("%.3fs (%s)", one.State.Seconds, one.State.Pace())
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", one.Name, one.Scenario, one.Address, time, one.Kubeconfig)
	}
	return out.Flush()
}
