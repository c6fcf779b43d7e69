package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/sim/trace"
)

// explainedRollout is the JSON form of explain rollout.
type explainedRollout struct {
	Name string `json:"name"`
	Seed *int64 `json:"seed,omitempty"`
	// Syncs are those that changed something or, with --all, all of them.
	Syncs       []explain.Explanation `json:"syncs"`
	Deployments []settled             `json:"deployments,omitempty"`
}

// settled is a Deployment at the end of a recording.
type settled struct {
	Deployment string `json:"deployment"`
	// Seconds is when its status changed last.
	Seconds   float64 `json:"seconds"`
	Replicas  int64   `json:"replicas"`
	Updated   int64   `json:"updatedReplicas"`
	Available int64   `json:"availableReplicas"`
	// Progressing is the reason of the condition.
	Progressing string `json:"progressing,omitempty"`
}

// print writes the whole rollout.
func (x *explained) print(out io.Writer, flags *explainFlags, width int) error {
	list := x.explanations(flags.all)
	if flags.output == "json" {
		rollout := explainedRollout{Name: x.Name, Syncs: list, Deployments: x.settled()}
		if x.seed >= 0 {
			rollout.Seed = &x.seed
		}
		return json.NewEncoder(out).Encode(rollout)
	}
	ends := x.settled()
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
		printRollout(out, key, own, width)
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

// printRollout writes the table of one Deployment: the sizes before and after each sync, and why.
func printRollout(out io.Writer, key string, list []explain.Explanation, width int) {
	fmt.Fprintln(out, key)
	printLimits(out, list)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "  TIME\tRECORD\tPODS\tAVAILABLE\tOLD\tNEW\tUP\tDOWN\tWHY")
	for i := range list {
		e := &list[i]
		if e.Rollout == nil {
			fmt.Fprintf(w, "  %s\t%d\t\t\t\t\t\t\t%s\n", trace.Seconds(e.At), e.Start, e.Verdict)
			continue
		}
		c := changeOf(e)
		fmt.Fprintf(w, "  %s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", trace.Seconds(e.At), e.Start, e.Rollout.Pods, e.Rollout.Available,
			arrow(e.Rollout.Old, c.old), arrow(e.Rollout.New, c.new), signed("+", c.up), signed("-", c.down), why(e))
	}
	w.Flush()
	for line := range strings.Lines(table.String()) {
		line = strings.TrimRight(line, " \n")
		if runes := []rune(line); width > 0 && len(runes) > width {
			line = string(runes[:width-1]) + "…"
		}
		fmt.Fprintln(out, line)
	}
	fmt.Fprintln(out)
}

// printLimits writes what maxSurge and maxUnavailable come to, the first time that they are computed.
func printLimits(out io.Writer, list []explain.Explanation) {
	for i := range list {
		for _, step := range list[i].Steps {
			if step.Function != explain.LimitsFunction {
				continue
			}
			only := explain.Explanation{Steps: []explain.Step{step}}
			for _, line := range only.Text(0)[1:] {
				if strings.HasPrefix(line, "   ") {
					fmt.Fprintln(out, line[1:])
				}
			}
			fmt.Fprintln(out)
			return
		}
	}
}

// change is what a sync does to the sizes.
type change struct{ old, new, up, down int32 }

func changeOf(e *explain.Explanation) change {
	c := change{old: e.Rollout.Old, new: e.Rollout.New}
	for _, effect := range e.Effects {
		difference := effect.To - effect.From
		if effect.ReplicaSet == e.Rollout.NewReplicaSet {
			c.new += difference
		} else {
			c.old += difference
		}
		c.up += max(difference, 0)
		c.down += max(-difference, 0)
	}
	return c
}

func arrow(from, to int32) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d -> %d", from, to)
}

func signed(sign string, n int32) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s%d", sign, n)
}

// why is the last column: the arithmetic, the way if it is not a rollout, and what the API server refused. That a
// status has to be written again is not worth a word.
func why(e *explain.Explanation) string {
	text := e.Why
	if text == "" {
		text = e.Verdict
	}
	for _, effect := range e.Effects {
		if effect.Deleted {
			text += "; " + effect.String()
		}
	}
	if e.Branch != explain.BranchRolling && e.Branch != explain.BranchRecreate {
		text = e.Branch + ": " + text
	}
	if n := len(e.Requests); e.Refused != "" && n > 0 && !strings.HasSuffix(e.Requests[n-1], "/status") {
		text += "; then " + e.Refused
	}
	return text
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

// settled are the Deployments that exist at the end.
func (x *explained) settled() []settled {
	var list []settled
	for _, o := range x.Replay.Objects(deployments, x.Len()) {
		object, versions := x.Replay.Object(o), x.Versions(o)
		status, _ := object["status"].(map[string]any)
		spec, _ := object["spec"].(map[string]any)
		s := settled{Deployment: o.Namespace + "/" + o.Name, Progressing: progressing(status)}
		s.Seconds = x.At(versions[len(versions)-1].Seq).Seconds()
		s.Replicas, _ = spec["replicas"].(int64)
		s.Updated, _ = status["updatedReplicas"].(int64)
		s.Available, _ = status["availableReplicas"].(int64)
		list = append(list, s)
	}
	return list
}

func progressing(status map[string]any) string {
	conditions, _ := status["conditions"].([]any)
	for _, c := range conditions {
		if condition, _ := c.(map[string]any); condition["type"] == "Progressing" {
			reason, _ := condition["reason"].(string)
			return reason
		}
	}
	return ""
}
