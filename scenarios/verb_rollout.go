package scenarios

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/polymorphichelpers"
)

// rollout is kubectl rollout undo, pause, resume and restart.
func rollout(ctx context.Context, r *run, i int, st Step) error {
	switch {
	case st.Rollout.Undo != "":
		return r.undo(i, st.Rollout)
	case st.Rollout.Pause != "":
		return r.pause(st.Rollout.Pause, true)
	case st.Rollout.Resume != "":
		return r.pause(st.Rollout.Resume, false)
	}
	target, err := ParseTarget(st.Rollout.Restart)
	if err != nil {
		return err
	}
	at := time.Now().UTC().Format(time.RFC3339)
	return r.sendPatch(target, types.StrategicMergePatchType, "", map[string]any{"spec": map[string]any{
		"template": map[string]any{"metadata": map[string]any{"annotations": map[string]any{
			"kubectl.kubernetes.io/restartedAt": at,
		}}},
	}})
}

func (r *run) pause(text string, paused bool) error {
	target, err := ParseTarget(text)
	if err != nil {
		return err
	}
	var value any = paused
	if !paused {
		// Resuming removes the field, as kubectl does.
		value = nil
	}
	return r.sendPatch(target, types.StrategicMergePatchType, "", map[string]any{"spec": map[string]any{"paused": value}})
}

// undo uses kubectl's own rollback, which picks the revision and patches the template.
func (r *run) undo(i int, rollout *Rollout) error {
	target, err := ParseTarget(rollout.Undo)
	if err != nil {
		return err
	}
	gvr, kind, _, _ := ResolveResource(target.Resource)
	rollbacker, err := polymorphichelpers.RollbackerFor(schema.GroupKind{Group: gvr.Group, Kind: kind}, r.sim.Client(User))
	if err != nil {
		return r.scenario.Errorf(StepPath(i)+".rollout.undo", "undo: deployment/web", "%v", err)
	}
	live, err := r.send(r.request("get", target))
	if err != nil {
		return err
	}
	_, err = rollbacker.Rollback(live, nil, rollout.ToRevision, cmdutil.DryRunNone)
	return err
}

// setImage is kubectl set image: a strategic merge patch that names the containers.
func setImage(_ context.Context, r *run, i int, st Step) error {
	path := StepPath(i) + ".set-image"
	target, err := ParseTarget(st.SetImage.Target)
	if err != nil {
		return err
	}
	live, err := r.send(r.request("get", target))
	if err != nil {
		return err
	}
	template, at := podTemplate(live)
	if template == nil {
		return r.scenario.Errorf(path+".target", "deployment/web", "%s has no pod template", target)
	}
	var containers []any
	for _, container := range template.Containers {
		if name := st.SetImage.Container; name == container.Name || name == "*" || name == "" && len(template.Containers) == 1 {
			containers = append(containers, map[string]any{"name": container.Name, "image": st.SetImage.Image})
		}
	}
	if len(containers) == 0 {
		names := make([]string, len(template.Containers))
		for n, container := range template.Containers {
			names[n] = container.Name
		}
		return r.scenario.Errorf(path+".container", "container: "+names[0],
			"%s has no container %q, but %v", target, st.SetImage.Container, names)
	}
	var body any = map[string]any{"containers": containers}
	for n := len(at) - 1; n >= 0; n-- {
		body = map[string]any{at[n]: body}
	}
	return r.sendPatch(target, types.StrategicMergePatchType, "", body)
}

// podTemplate finds the pod spec in a workload, and the path that leads to it.
func podTemplate(obj runtime.Object) (*corev1.PodSpec, []string) {
	inTemplate := []string{"spec", "template", "spec"}
	switch o := obj.(type) {
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec, inTemplate
	case *appsv1.ReplicaSet:
		return &o.Spec.Template.Spec, inTemplate
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec, inTemplate
	case *appsv1.DaemonSet:
		return &o.Spec.Template.Spec, inTemplate
	case *batchv1.Job:
		return &o.Spec.Template.Spec, inTemplate
	case *batchv1.CronJob:
		return &o.Spec.JobTemplate.Spec.Template.Spec, []string{"spec", "jobTemplate", "spec", "template", "spec"}
	case *corev1.ReplicationController:
		return &o.Spec.Template.Spec, inTemplate
	case *corev1.Pod:
		return &o.Spec, []string{"spec"}
	}
	return nil, nil
}

func rolloutText(rollout *Rollout) string {
	switch {
	case rollout.Undo != "" && rollout.ToRevision > 0:
		return fmt.Sprintf("undo %s --to-revision=%d", rollout.Undo, rollout.ToRevision)
	case rollout.Undo != "":
		return "undo " + rollout.Undo
	case rollout.Pause != "":
		return "pause " + rollout.Pause
	case rollout.Resume != "":
		return "resume " + rollout.Resume
	}
	return "restart " + rollout.Restart
}
