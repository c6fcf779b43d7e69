package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// verbs takes a step of each kind. Each sends the requests that kubectl would send.
var verbs = map[string]func(ctx context.Context, r *run, i int, st Step) error{
	"apply":      apply,
	"create":     create,
	"patch":      patch,
	"scale":      scale,
	"set-image":  setImage,
	"rollout":    rollout,
	"delete":     remove,
	"evict":      evict,
	"label":      func(_ context.Context, r *run, i int, st Step) error { return r.metadate(st.Label, "labels") },
	"annotate":   func(_ context.Context, r *run, i int, st Step) error { return r.metadate(st.Annotate, "annotations") },
	"controller": controllerFault,
	"pod":        podTrouble,
	"node":       nodeFault,
	"load":       changeLoad,
	"edit":       edit,
	"fault":      faultStep,
	"wait":       waitStep,
	"expect":     expect,
	"ask":        ask,
	"note":       func(context.Context, *run, int, Step) error { return nil },
}

// send sends one request of the user.
func (r *run) send(req apiserver.Request) (runtime.Object, error) {
	return r.sim.Transport(User).Do(req)
}

// request begins a request about a target.
func (r *run) request(verb string, target Target) apiserver.Request {
	gvr, _, namespaced, _ := ResolveResource(target.Resource)
	req := apiserver.Request{Verb: verb, Resource: gvr, Name: target.Name}
	if namespaced {
		req.Namespace = target.Namespace
	}
	return req
}

// sendPatch patches a target.
func (r *run) sendPatch(target Target, kind types.PatchType, subresource string, body any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req := r.request("patch", target)
	req.Subresource, req.PatchType, req.Patch = subresource, kind, data
	req.PatchOptions.FieldValidation = metav1.FieldValidationStrict
	_, err = r.send(req)
	return err
}

// create is kubectl create -f.
func create(_ context.Context, r *run, i int, st Step) error {
	return r.eachManifest(i, "create", st.Create, func(m Manifest, target Target) error {
		req := r.request("create", target)
		req.Name, req.Object = "", m.Object
		_, err := r.send(req)
		return err
	})
}

// eachManifest calls do for the manifests of a step, in order.
func (r *run) eachManifest(i int, verb, text string, do func(Manifest, Target) error) error {
	path := StepPath(i) + "." + verb
	manifests, err := r.scenario.Manifests(path, text)
	if err != nil {
		return err
	}
	for _, m := range manifests {
		if err := do(m, targetOf(m)); err != nil {
			return r.manifestError(i, m, err)
		}
	}
	return nil
}

// manifestError gives an error of the API server the position of the manifest it is about. A step that
// is meant to fail wants the status itself.
func (r *run) manifestError(i int, m Manifest, err error) error {
	st := r.scenario.Spec.Steps[i]
	if st.Fails != "" {
		return err
	}
	var positioned *Error
	if !errors.As(r.stepError(i, st, err), &positioned) {
		return err
	}
	if m.Position.Line > 0 {
		positioned.Position = m.Position
	}
	return positioned
}

// targetOf names the object of a manifest.
func targetOf(m Manifest) Target {
	gvr, _, namespaced, _ := ResolveResource(strings.ToLower(m.GVK.Kind))
	target := Target{Resource: gvr.Resource, Name: m.Unstructured.GetName()}
	if namespaced {
		target.Namespace = m.Unstructured.GetNamespace()
		if target.Namespace == "" {
			target.Namespace = metav1.NamespaceDefault
		}
	}
	return target
}

// patch is kubectl patch.
func patch(_ context.Context, r *run, i int, st Step) error {
	target, err := ParseTarget(st.Patch.Target)
	if err != nil {
		return err
	}
	body, err := st.Patch.JSON()
	if err != nil {
		return r.scenario.Errorf(StepPath(i)+".patch.patch", "{spec: {replicas: 3}}", "%v", err)
	}
	kinds := map[string]types.PatchType{
		"": types.StrategicMergePatchType, "strategic": types.StrategicMergePatchType,
		"merge": types.MergePatchType, "json": types.JSONPatchType,
	}
	return r.sendPatch(target, kinds[st.Patch.Type], st.Patch.Subresource, json.RawMessage(body))
}

// scale is kubectl scale: a merge patch of the scale subresource.
func scale(_ context.Context, r *run, i int, st Step) error {
	target, err := ParseTarget(st.Scale.Target)
	if err != nil {
		return err
	}
	return r.sendPatch(target, types.MergePatchType, "scale",
		map[string]any{"spec": map[string]any{"replicas": st.Scale.Replicas}})
}

// metadate is kubectl label and kubectl annotate, with --overwrite.
func (r *run) metadate(m *Metadate, field string) error {
	target, err := ParseTarget(m.Target)
	if err != nil {
		return err
	}
	return r.sendPatch(target, types.MergePatchType, "",
		map[string]any{"metadata": map[string]any{field: m.Set}})
}

// remove is kubectl delete --wait=false.
func remove(_ context.Context, r *run, i int, st Step) error {
	policies := map[string]metav1.DeletionPropagation{
		"": metav1.DeletePropagationBackground, "background": metav1.DeletePropagationBackground,
		"foreground": metav1.DeletePropagationForeground, "orphan": metav1.DeletePropagationOrphan,
	}
	policy := policies[st.Delete.Cascade]
	options := metav1.DeleteOptions{PropagationPolicy: &policy, GracePeriodSeconds: st.Delete.GracePeriodSeconds}
	if st.Delete.Selector != "" {
		target, err := ParseTargetKind(st.Delete.Target)
		if err != nil {
			return err
		}
		req := r.request("deletecollection", target)
		req.DeleteOptions = options
		req.ListOptions = metav1.ListOptions{LabelSelector: st.Delete.Selector}
		_, err = r.send(req)
		return err
	}
	target, err := ParseTarget(st.Delete.Target)
	if err != nil {
		return err
	}
	req := r.request("delete", target)
	req.DeleteOptions = options
	_, err = r.send(req)
	return err
}

// evict is what kubectl drain does with each Pod.
func evict(_ context.Context, r *run, i int, st Step) error {
	target, err := ParseTarget(st.Evict)
	if err != nil {
		return err
	}
	req := r.request("create", target)
	req.Subresource = "eviction"
	req.Object = &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: target.Name, Namespace: target.Namespace}}
	_, err = r.send(req)
	return err
}

// waitStep blocks the steps behind it.
func waitStep(ctx context.Context, r *run, i int, st Step) error {
	condition, err := r.waitFor(StepPath(i)+".wait.for", st.Wait.For)
	if err != nil {
		return err
	}
	err = r.wait(ctx, condition, st.Wait.Timeout.Duration)
	if errors.Is(err, errTimeout) {
		return &unmetError{fmt.Sprintf("wait for %s: %v", st.Wait.For, err)}
	}
	return err
}

// expect is a check with a place and a deadline.
func expect(ctx context.Context, r *run, i int, st Step) error {
	condition, err := r.compile(StepPath(i)+".expect.that", st.Expect.That)
	if err != nil {
		return err
	}
	timeout := time.Nanosecond
	if st.Expect.By != nil && st.Expect.By.Duration > 0 {
		timeout = st.Expect.By.Duration
	}
	err = r.wait(ctx, conditionMet(condition), timeout)
	if errors.Is(err, errTimeout) {
		return &unmetError{fmt.Sprintf("expected %s, but %s", st.Expect.That, strings.TrimPrefix(err.Error(), errTimeout.Error()+" "))}
	}
	return err
}
