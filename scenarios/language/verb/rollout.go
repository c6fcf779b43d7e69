package verb

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/polymorphichelpers"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// rolloutRow is kubectl rollout undo, pause, resume and restart.
var rolloutRow = Row{
	Manager: "kubectl-rollout",
	Syntax: format.Syntax{
		Of:  new(Rollout),
		Doc: "As kubectl rollout undo, pause, resume or restart.",
		Example: `- rollout: {pause: deployment/web}
- rollout: {resume: deployment/web}
- rollout: {restart: daemonset/agent}
- rollout: {undo: deployment/web, toRevision: 1}
`,
		Synonyms: map[string]string{
			"rollback": "rollout: {undo: deployment/NAME}",
			"undo":     "rollout: {undo: deployment/NAME}",
			"pause":    "rollout: {pause: deployment/NAME}",
			"resume":   "rollout: {resume: deployment/NAME}",
			"restart":  "rollout: {restart: deployment/NAME}",
		},
	},
	Commands: []Command{{
		Name: "rollout", Args: "undo|pause|resume|restart KIND/NAME", About: "as kubectl rollout", Parse: parseRollout,
		Complete: []Completion{
			words("undo", "pause", "resume", "restart"),
			func(s Scene, typed []string) []string { return s.Objects(notation.RollsOut(typed[0])) },
		},
	}},
}

// Rollout holds exactly one of its targets.
type Rollout struct {
	Undo       string `yaml:"undo,omitempty" oneOf:"true" example:"deployment/web" doc:"Target to roll back."`
	ToRevision int64  `yaml:"toRevision,omitempty" needs:"undo" min:"0" doc:"Revision to roll back to; 0, the default, is the previous one."`
	Pause      string `yaml:"pause,omitempty" oneOf:"true" doc:"Deployment to pause."`
	Resume     string `yaml:"resume,omitempty" oneOf:"true" doc:"Deployment to resume."`
	Restart    string `yaml:"restart,omitempty" oneOf:"true" doc:"Target whose Pods are replaced."`
}

// Keyword implements format.Verb.
func (*Rollout) Keyword() string { return "rollout" }

// Role implements format.Verb.
func (*Rollout) Role() format.Role { return format.Request }

// String implements format.Verb.
func (r *Rollout) String() string {
	switch {
	case r.Undo != "" && r.ToRevision > 0:
		return fmt.Sprintf("undo %s --to-revision=%d", r.Undo, r.ToRevision)
	case r.Undo != "":
		return "undo " + r.Undo
	case r.Pause != "":
		return "pause " + r.Pause
	case r.Resume != "":
		return "resume " + r.Resume
	}
	return "restart " + r.Restart
}

// Check implements format.Verb.
func (r *Rollout) Check(c *format.Checker) {
	found := c.One(r, "target", "{undo: deployment/NAME}, or pause, resume or restart")
	c.Target("undo", r.Undo, "has no rollout to undo", notation.RollsOut("undo"))
	c.Target("pause", r.Pause, "cannot be paused", notation.RollsOut("pause"))
	c.Target("resume", r.Resume, "cannot be resumed", notation.RollsOut("resume"))
	c.Target("restart", r.Restart, "cannot be restarted", notation.RollsOut("restart"))
	if r.Undo == "" && c.Has("toRevision") && len(found) > 0 {
		c.Fail("toRevision", "remove the line", "toRevision needs undo")
	}
}

// Do implements Verb.
func (r *Rollout) Do(_ context.Context, w World) error {
	switch {
	case r.Undo != "":
		return r.undo(w)
	case r.Pause != "":
		return pause(w, r.Pause, true)
	case r.Resume != "":
		return pause(w, r.Resume, false)
	}
	target, err := notation.ParseTarget(w.Scenario().Kinds(), r.Restart)
	if err != nil {
		return err
	}
	at := w.Simulation().Engine.Date().UTC().Format(time.RFC3339)
	return sendPatch(w, target, types.StrategicMergePatchType, "", map[string]any{"spec": map[string]any{
		"template": map[string]any{"metadata": map[string]any{"annotations": map[string]any{
			"kubectl.kubernetes.io/restartedAt": at,
		}}},
	}})
}

func pause(w World, text string, paused bool) error {
	target, err := notation.ParseTarget(w.Scenario().Kinds(), text)
	if err != nil {
		return err
	}
	var value any = paused
	if !paused {
		// Resuming removes the field, as kubectl does.
		value = nil
	}
	return sendPatch(w, target, types.StrategicMergePatchType, "", map[string]any{"spec": map[string]any{"paused": value}})
}

// undo uses kubectl's own rollback, which picks the revision and patches the template.
func (r *Rollout) undo(w World) error {
	target, err := notation.ParseTarget(w.Scenario().Kinds(), r.Undo)
	if err != nil {
		return err
	}
	rollbacker, err := polymorphichelpers.RollbackerFor(target.Kind().GroupVersionKind().GroupKind(), w.Simulation().Client(User))
	if err != nil {
		return w.Scenario().Errorf(path(w, "undo"), "undo: deployment/web", "%v", err)
	}
	live, err := get(w, target)
	if err != nil {
		return err
	}
	_, err = rollbacker.Rollback(live, nil, r.ToRevision, cmdutil.DryRunNone)
	if err == nil || apierrors.ReasonForError(err) != "" {
		return err
	}
	// kubectl finds out by itself that there is nothing to go back to.
	field, try := "undo", "a step before this one that changes the Pod template, such as set-image"
	if r.ToRevision > 0 {
		field, try = "toRevision", "a revision of the Deployment, or no toRevision for the one before"
	}
	return w.Scenario().Errorf(path(w, field), try, "%v", err)
}

func parseRollout(args []string) (Verb, error) {
	r := &Rollout{}
	return r, choose(args, map[string]*string{
		"undo": &r.Undo, "pause": &r.Pause, "resume": &r.Resume, "restart": &r.Restart,
	})
}
