package apiserver_test

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// body builds a request around the command's input. Its path follows from the kind, unless at=PATH
// names another.
func (w *world) body(c command, verb string) (apiserver.Request, error) {
	obj, kind, err := decode(c.Input)
	if err != nil {
		return apiserver.Request{}, err
	}
	path := c.value("at")
	if path == "" {
		if path, err = w.pathOf(kind); err != nil {
			return apiserver.Request{}, err
		}
	}
	req := w.request(c, verb, path)
	req.Object = obj
	accessor, err := meta.Accessor(obj)
	if err == nil && req.Namespace != "" && accessor.GetNamespace() != "" && !c.HasArg("ns") {
		req.Namespace = accessor.GetNamespace()
	}
	return req, nil
}

func (w *world) create(c command) (string, error) {
	req, err := w.body(c, "create")
	if err != nil {
		return "", err
	}
	req.CreateOptions.DryRun = c.dryRun()
	names := c.values("name")
	if len(names) == 0 {
		return w.send(c, req), nil
	}
	var lines []string
	for _, name := range names {
		one := req
		one.Object = req.Object.DeepCopyObject()
		accessor, err := meta.Accessor(one.Object)
		if err != nil {
			return "", err
		}
		accessor.SetName(name)
		lines = append(lines, w.send(c, one))
	}
	return strings.Join(lines, ""), nil
}

func (w *world) update(c command) (string, error) {
	req, err := w.body(c, "update")
	if err != nil {
		return "", err
	}
	req.UpdateOptions.DryRun = c.dryRun()
	return w.send(c, req), nil
}

func (w *world) edit(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	req := w.request(c, "update", path)
	read := req
	read.Verb, read.Subresource = "get", ""
	current, err := w.Do(read)
	if err != nil {
		return refusal(c, err), nil
	}
	if req.Object, err = merge(current, c.Input); err != nil {
		return "", err
	}
	if c.HasArg("rv") {
		accessor, err := meta.Accessor(req.Object)
		if err != nil {
			return "", err
		}
		accessor.SetResourceVersion(c.value("rv"))
	}
	req.UpdateOptions.DryRun = c.dryRun()
	return w.send(c, req), nil
}

// merge returns a copy of obj with a change in YAML merged into it.
func merge(obj runtime.Object, change string) (runtime.Object, error) {
	before, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	patch, err := yaml.YAMLToJSON([]byte(change))
	if err != nil {
		return nil, err
	}
	after, err := jsonpatch.MergePatch(before, patch)
	if err != nil {
		return nil, err
	}
	kind, err := typeOf(obj)
	if err != nil {
		return nil, err
	}
	out, err := scheme.Scheme.New(kind)
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(after, out)
}

var patchTypes = map[string]types.PatchType{
	"strategic": types.StrategicMergePatchType, "merge": types.MergePatchType,
	"json": types.JSONPatchType, "apply": types.ApplyYAMLPatchType,
}

func (w *world) patch(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	req := w.request(c, "patch", path)
	if req.Patch, err = yaml.YAMLToJSON([]byte(c.Input)); err != nil {
		return "", err
	}
	known := false
	if req.PatchType, known = patchTypes[c.value("type")]; !known {
		req.PatchType = types.PatchType(c.value("type"))
	}
	req.PatchOptions.DryRun, req.PatchOptions.FieldManager = c.dryRun(), c.value("manager")
	if c.HasArg("force") {
		force := true
		req.PatchOptions.Force = &force
	}
	if c.HasArg("strict") {
		req.PatchOptions.FieldValidation = metav1.FieldValidationStrict
	}
	return w.send(c, req), nil
}

func (w *world) delete(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	req := w.request(c, "delete", path)
	req.DeleteOptions = c.deleteOptions()
	return w.send(c, req), nil
}

func (w *world) deleteCollection(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	req := w.request(c, "deletecollection", path)
	req.DeleteOptions, req.ListOptions = c.deleteOptions(), c.listOptions()
	return w.send(c, req), nil
}

func (w *world) scale(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	req := w.request(c, "get", path)
	req.Subresource = "scale"
	current, err := w.Do(req)
	if err != nil {
		return refusal(c, err), nil
	}
	desired := current.(*autoscalingv1.Scale)
	if replicas := c.number("replicas"); replicas != nil {
		desired.Spec.Replicas = int32(*replicas)
	}
	if rv := c.value("rv"); rv != "" {
		desired.ResourceVersion = rv
	}
	req.Verb, req.Object = "update", desired
	return w.send(c, req), nil
}

func (w *world) bind(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	req := w.request(c, "create", path)
	req.Subresource = "binding"
	req.Object = &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: req.Name, UID: types.UID(c.value("uid"))},
		Target:     corev1.ObjectReference{Kind: "Node", Name: c.value("node")},
	}
	return w.send(c, req), nil
}

func (w *world) evict(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	req := w.request(c, "create", path)
	req.Subresource = "eviction"
	options := c.deleteOptions()
	req.Object = &policyv1.Eviction{
		ObjectMeta: metav1.ObjectMeta{Name: req.Name}, DeleteOptions: &options,
	}
	return w.send(c, req), nil
}

// finalize removes the finalizer of a terminating namespace, by the call that a controller makes.
func (w *world) finalize(c command) (string, error) {
	path, err := c.positional(0)
	if err != nil {
		return "", err
	}
	req := w.request(c, "get", path)
	current, err := w.Do(req)
	if err != nil {
		return refusal(c, err), nil
	}
	namespace, ok := current.(*corev1.Namespace)
	if !ok {
		return "", fmt.Errorf("%s is no namespace", path)
	}
	namespace.Spec.Finalizers = nil
	client := apiserver.NewClientset(w, nil)
	out, err := client.CoreV1().Namespaces().Finalize(background, namespace, metav1.UpdateOptions{})
	if err != nil {
		return refusal(c, err), nil
	}
	return one(c, "namespaces", out), nil
}
