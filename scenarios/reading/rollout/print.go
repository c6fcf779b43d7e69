package rollout

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/trace"
)

// document is the JSON form of a Rollout.
type document struct {
	Name string `json:"name"`
	Seed *int64 `json:"seed,omitempty"`
	// Syncs are those that changed something or, with --all, all of them.
	Syncs       []arithmetic.Explanation `json:"syncs"`
	Deployments []Settled                `json:"deployments,omitempty"`
}

// Options say what is printed, and how.
type Options struct {
	// All includes the syncs that changed nothing.
	All  bool
	JSON bool
	// Width is that of lines; 0 means no limit.
	Width int
}

// Print writes all rollouts. Errors are *source.Error.
func (x *Rollout) Print(out io.Writer, options Options) error {
	list := x.explanations(options.All)
	if options.JSON {
		d := document{Name: x.Name, Syncs: list, Deployments: lastOnes(x.Recording)}
		if x.Seed >= 0 {
			d.Seed = &x.Seed
		}
		return json.NewEncoder(out).Encode(d)
	}
	settled := lastOnes(x.Recording)
	if len(list) == 0 && len(settled) == 0 {
		return source.Problem("kubestep explain rollout worked-03", "%s has no Deployment", x.Name)
	}
	var keys []string
	for i := range list {
		if !slices.Contains(keys, list[i].Key) {
			keys = append(keys, list[i].Key)
		}
	}
	for _, key := range keys {
		own := slices.DeleteFunc(slices.Clone(list), func(e arithmetic.Explanation) bool { return e.Key != key })
		table(out, key, own, options.Width)
	}
	for _, s := range settled {
		at := time.Duration(s.Seconds * float64(time.Second))
		fmt.Fprintf(out, "%s settled at %s: %d of %d updated, %d available%s\n", s.Deployment, trace.Seconds(at), s.Updated, s.Replicas,
			s.Available, condition(s.Progressing))
	}
	return nil
}

func condition(reason string) string {
	if reason == "" {
		return ""
	}
	return ", " + reason
}

// PrintSync writes one sync step by step, which its time or a record of it names. Errors are *source.Error.
func (x *Rollout) PrintSync(out io.Writer, sync string, options Options) error {
	e, err := x.find(sync)
	if err != nil {
		return err
	}
	if options.JSON {
		return json.NewEncoder(out).Encode(e)
	}
	fmt.Fprintf(out, "%s  %s  %s  %s  record %d\n\n", trace.Seconds(e.At), e.Controller, e.Key, e.Branch, e.Start)
	for _, line := range e.Text(options.Width) {
		fmt.Fprintln(out, line)
	}
	return nil
}
