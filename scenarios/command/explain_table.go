package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/sim/trace"
)

// explainedRollout is the JSON form of explain rollout.
type explainedRollout struct {
	Name string `json:"name"`
	Seed *int64 `json:"seed,omitempty"`
	// Syncs are those that changed something or, with --all, all of them.
	Syncs       []explain.Explanation `json:"syncs"`
	Deployments []explain.Settled     `json:"deployments,omitempty"`
}

// print writes the whole rollout.
func (x *explained) print(out io.Writer, flags *explainFlags, width int) error {
	list := x.explanations(flags.all)
	if flags.output == "json" {
		rollout := explainedRollout{Name: x.Name, Syncs: list, Deployments: explain.Ends(x.Recording)}
		if x.Seed >= 0 {
			rollout.Seed = &x.Seed
		}
		return json.NewEncoder(out).Encode(rollout)
	}
	ends := explain.Ends(x.Recording)
	if len(list) == 0 && len(ends) == 0 {
		return &UsageError{x.Name + " has no Deployment", "kubestep explain rollout worked-03"}
	}
	var keys []string
	for i := range list {
		if !slices.Contains(keys, list[i].Key) {
			keys = append(keys, list[i].Key)
		}
	}
	for _, key := range keys {
		own := slices.DeleteFunc(slices.Clone(list), func(e explain.Explanation) bool { return e.Key != key })
		explain.Table(out, key, own, width)
	}
	for _, s := range ends {
		fmt.Fprintf(out, "%s settled at %s: %d of %d updated, %d available%s\n", s.Deployment, trace.Seconds(duration(s.Seconds)),
			s.Updated, s.Replicas, s.Available, condition(s.Progressing))
	}
	return nil
}

func condition(reason string) string {
	if reason == "" {
		return ""
	}
	return ", " + reason
}

// printSync writes one sync step by step.
func (x *explained) printSync(out io.Writer, flags *explainFlags, width int) error {
	e, err := x.find(flags.sync)
	if err != nil {
		return err
	}
	if flags.output == "json" {
		return json.NewEncoder(out).Encode(e)
	}
	fmt.Fprintf(out, "%s  %s  %s  %s  record %d\n\n", trace.Seconds(e.At), e.Controller, e.Key, e.Branch, e.Start)
	for _, line := range e.Text(width) {
		fmt.Fprintln(out, line)
	}
	return nil
}
