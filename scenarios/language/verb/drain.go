package verb

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/kubectl/pkg/drain"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// drainRow is kubectl drain.
var drainRow = Row{
	Syntax: format.Syntax{
		Of: new(Drain),
		Doc: "As kubectl drain: cordons a node, evicts its Pods, and waits with the following steps until they are gone. If a " +
			"PodDisruptionBudget does not allow an eviction, it tries again after 5 seconds.",
		Example: `- drain: {node: node-1, ignoreDaemonSets: true, timeout: 2m}
# Only the Pods of one application, whatever the budgets say.
- drain: {node: node-2, podSelector: app=web, disableEviction: true}
`,
		FieldSynonyms: map[string]string{
			"name": "node", "ignoreDaemonsets": "ignoreDaemonSets", "deleteLocalData": "deleteEmptyDirData",
			"deleteEmptydirData": "deleteEmptyDirData", "gracePeriod": "gracePeriodSeconds", "selector": "podSelector",
		},
	},
	Commands: []Command{{
		Name: "drain", Args: "NODE", About: "cordon a node, and evict its Pods",
		Parse: func(args []string) (Verb, error) {
			d := &Drain{Node: args[0], IgnoreDaemonSets: true, DeleteEmptyDirData: true, Force: true}
			d.ApplyDefaults()
			return d, nil
		},
		Complete: []Completion{nodes},
	}},
}

// Drain removes the Pods of a node, one eviction each.
type Drain struct {
	Node               string             `yaml:"node" required:"true" example:"node-1" doc:"Name of the node."`
	IgnoreDaemonSets   bool               `yaml:"ignoreDaemonSets,omitempty" doc:"Leave the Pods of DaemonSets where they are, as with kubectl --ignore-daemonsets. Otherwise the step fails if there are any."`
	DeleteEmptyDirData bool               `yaml:"deleteEmptyDirData,omitempty" doc:"Evict Pods with emptyDir volumes, too, as with kubectl --delete-emptydir-data. Otherwise the step fails if there are any."`
	Force              bool               `yaml:"force,omitempty" doc:"Evict Pods without a controller, too, as with kubectl --force. Otherwise the step fails if there are any."`
	DisableEviction    bool               `yaml:"disableEviction,omitempty" doc:"Delete the Pods, without regard to PodDisruptionBudgets."`
	PodSelector        string             `yaml:"podSelector,omitempty" example:"app=web" doc:"Label selector of the Pods. Default: all."`
	GracePeriodSeconds *int64             `yaml:"gracePeriodSeconds,omitempty" min:"0" doc:"Grace period of the Pods. Default: that of each Pod."`
	Timeout            *notation.Duration `yaml:"timeout,omitempty" doc:"Virtual time after which the run fails. Default 10m."`
}

// Keyword implements format.Verb.
func (*Drain) Keyword() string { return "drain" }

// Role implements format.Verb.
func (*Drain) Role() format.Role { return format.Request }

// Blocks implements Blocker.
func (*Drain) Blocks() bool { return true }

// ApplyDefaults implements format.Defaulter.
func (d *Drain) ApplyDefaults() { defaultTimeout(&d.Timeout) }

// String implements format.Verb.
func (d *Drain) String() string {
	text := d.Node
	if d.PodSelector != "" {
		text += " --pod-selector " + d.PodSelector
	}
	if d.DisableEviction {
		text += " --disable-eviction"
	}
	return text
}

// Check implements format.Verb.
func (d *Drain) Check(c *format.Checker) {
	checkNode(c, "node", d.Node)
	c.Selector("podSelector", d.PodSelector)
}

// Do implements Verb. The errors of kubectl's own that are none of the API server's are Pods that it does not evict without a flag.
func (d *Drain) Do(ctx context.Context, w World) error {
	timeout := d.Timeout.Duration
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	by := drainer(limited, w)
	by.Force, by.IgnoreAllDaemonSets, by.DeleteEmptyDirData = d.Force, d.IgnoreDaemonSets, d.DeleteEmptyDirData
	by.DisableEviction, by.PodSelector = d.DisableEviction, d.PodSelector
	retryEvictions(by)
	if d.GracePeriodSeconds != nil {
		by.GracePeriodSeconds = int(*d.GracePeriodSeconds)
	}
	if err := cordon(by, d.Node, true); err != nil {
		return err
	}
	err := drain.RunNodeDrain(by, d.Node)
	switch {
	case err == nil || ctx.Err() != nil || apierrors.ReasonForError(err) != "":
		return err
	case limited.Err() != nil:
		return late("drain %s: %v", d.Node, &TimeoutError{After: timeout, Missing: d.pending(ctx, by)})
	}
	return w.Scenario().Errorf(path(w, "node"), "ignoreDaemonSets, deleteEmptyDirData or force: true, as the message says", "%v", err)
}

// pending says which Pods are still on the node, as kubectl drain does when it gives up.
func (d *Drain) pending(ctx context.Context, by *drain.Helper) string {
	by.Ctx = ctx
	var names []string
	// What is left of an answer that is an error is of no use here.
	if list, _ := by.GetPodsForDeletion(d.Node); list != nil {
		for _, pod := range list.Pods() {
			names = append(names, pod.Namespace+"/"+pod.Name)
		}
	}
	if len(names) == 0 {
		return "nothing is left to evict"
	}
	return "it still has " + strings.Join(names, ", ")
}
