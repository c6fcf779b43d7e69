package fresh

import (
	"strings"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// isReady reports whether a node says that it is Ready.
func isReady(node map[string]any) bool {
	conditions, _ := at(node, "status", "conditions").([]any)
	for _, condition := range conditions {
		if c, ok := condition.(map[string]any); ok && c["type"] == string(corev1.NodeReady) {
			return c["status"] == string(corev1.ConditionTrue)
		}
	}
	return false
}

// nodePatch repeats what users changed of a node, nil if they changed nothing.
func (u *Users) nodePatch(object trace.Object, node map[string]any) format.Verb {
	patch := u.changes(object, node)
	if len(patch) == 0 {
		return nil
	}
	body := &yaml.Node{}
	if err := body.Encode(patch); err != nil {
		panic("fresh: a patch of a node cannot be written: " + err.Error())
	}
	return &verb.Patch{Target: "node/" + object.Name, Type: "merge", Patch: body}
}

// changes are those that users made to a node: its labels, its annotations, whether it is schedulable, and its taints.
func (u *Users) changes(object trace.Object, node map[string]any) map[string]any {
	patch := map[string]any{}
	began := u.nodes[object.Name]
	if began == nil || !u.touched[text(node, "metadata", "uid")] {
		return patch
	}
	metadata, spec := map[string]any{}, map[string]any{}
	for _, field := range []string{"labels", "annotations"} {
		if changed := changedKeys(at(began, "metadata", field), at(node, "metadata", field)); len(changed) > 0 {
			metadata[field] = changed
		}
	}
	if at(node, "spec", "unschedulable") == true {
		spec["unschedulable"] = true
	}
	if taints := usersTaints(node); len(taints) > 0 {
		spec["taints"] = taints
	}
	if len(metadata) > 0 {
		patch["metadata"] = metadata
	}
	if len(spec) > 0 {
		patch["spec"] = spec
	}
	return patch
}

// changedKeys are the keys of a map that differ, null for those that are gone. Those of controllers are left out.
func changedKeys(before, after any) map[string]any {
	old, _ := before.(map[string]any)
	now, _ := after.(map[string]any)
	changed := map[string]any{}
	for key, value := range now {
		if old[key] != value && !isOfControllers(key) {
			changed[key] = value
		}
	}
	for key := range old {
		if _, kept := now[key]; !kept && !isOfControllers(key) {
			changed[key] = nil
		}
	}
	return changed
}

// usersTaints are the taints of a node without those that node-lifecycle-controller sets.
func usersTaints(node map[string]any) (kept []any) {
	taints, _ := at(node, "spec", "taints").([]any)
	for _, taint := range taints {
		m, _ := taint.(map[string]any)
		key, _ := m["key"].(string)
		isLifecycle := strings.HasPrefix(key, "node.kubernetes.io/") && m["effect"] == string(corev1.TaintEffectNoSchedule) ||
			key == corev1.TaintNodeNotReady || key == corev1.TaintNodeUnreachable
		if !isLifecycle {
			delete(m, "timeAdded")
			kept = append(kept, taint)
		}
	}
	return kept
}
