// Package capture makes one file of all that a scenario needs of a namespace of a cluster: kubestep capture.
//
// It has no client for a cluster. It runs the user's kubectl, with the user's kubeconfig, to list kinds and to get objects, and reads what
// kubectl prints. So kubestep loads no kubeconfig and no credentials, starts only a program that the user has and uses, and can do
// nothing but read: the commands are kubectl api-resources and kubectl get. Each is printed before it runs.
//
// The values of Secrets and ConfigMaps are replaced in memory, before anything is written.
package capture

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Options are what is captured, and where it is written to.
type Options struct {
	Namespace string
	// Kubeconfig and Context are flags of kubectl; "" is kubectl's default.
	Kubeconfig, Context string
	// Out is the file; "" is capture-NAMESPACE.json.
	Out string
	// Force replaces an existing file.
	Force bool
}

// Capture writes the file, and says on standard error what is in it and what is missing. A kubectl that is missing, or that fails, is a
// *cli.UsageError; Ctrl-C is an *interrupt.Error.
func Capture(streams cli.Streams, o Options) error {
	if problems := validation.IsDNS1123Label(o.Namespace); len(problems) > 0 {
		return cli.Usage(fmt.Sprintf("--namespace %q is not the name of a namespace", o.Namespace), "kubestep capture -n shop")
	}
	o.Out = cmp.Or(o.Out, "capture-"+o.Namespace+".json")
	rights := output.Rights{Force: o.Force, Private: true}
	if err := output.Check(o.Out, rights); err != nil {
		return err
	}
	program, err := exec.LookPath("kubectl")
	if err != nil {
		return cli.Usage("capture needs kubectl, which is not in the PATH", "to install kubectl: https://kubernetes.io/docs/tasks/tools/")
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	k := &kubectl{program: program, options: o, streams: streams}
	objects, err := k.objects(ctx)
	if ctx.Err() != nil {
		return interrupt.Cause(ctx)
	}
	if err != nil {
		return err
	}
	text, err := encode(objects)
	if err != nil {
		return err
	}
	if int64(len(text)) > input.Dump.Budget() {
		message := fmt.Sprintf("%s has %d MiB of objects, and a dump has at most %d", o.Namespace, len(text)>>20, input.Dump.Budget()>>20)
		return cli.Usage(message, "kubectl get with the kinds that matter")
	}
	if err := output.WriteFile(o.Out, text, rights); err != nil {
		return err
	}
	k.report(objects)
	return nil
}

// encode is a list of objects, as kubectl get -o json prints it.
func encode(objects []*unstructured.Unstructured) ([]byte, error) {
	items := make([]any, 0, len(objects))
	for _, o := range objects {
		items = append(items, o.Object)
	}
	text, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "kind": "List", "items": items}, "", "  ")
	return append(text, '\n'), err
}

// kubectl runs the commands.
type kubectl struct {
	program string
	options Options
	streams cli.Streams
	// failed is what kubectl said of kinds that it could not get.
	failed []string
	hidden int
}

// run runs a command, and returns what it prints. kubectl prints what it gets, also if it fails for some kinds.
func (k *kubectl) run(ctx context.Context, args ...string) ([]byte, error) {
	for flag, value := range map[string]string{"--kubeconfig": k.options.Kubeconfig, "--context": k.options.Context} {
		if value != "" {
			args = append(args, flag+"="+value)
		}
	}
	fmt.Fprintf(k.streams.Stderr(), "kubectl %s\n", strings.Join(args, " "))
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, k.program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out.Bytes(), nil
	case !errors.As(err, &exit):
		return nil, cli.Usage("kubectl: "+err.Error(), "to install kubectl: https://kubernetes.io/docs/tasks/tools/")
	case len(bytes.TrimSpace(out.Bytes())) == 0:
		return nil, cli.Usage("kubectl "+args[0]+": "+lastLine(errs.String()),
			"kubectl config current-context, to see which cluster this is")
	}
	for line := range strings.Lines(errs.String()) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "Warning:") {
			k.failed = append(k.failed, line)
		}
	}
	return out.Bytes(), nil
}

// lastLine is the last line of a text that is not empty.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// left are resources of a namespace that no scenario starts with, by the name that kubectl prints.
var left = []string{
	"events.events.k8s.io", // the same as events
	"leases.coordination.k8s.io", "pods.metrics.k8s.io", "localsubjectaccessreviews.authorization.k8s.io",
}

// leftGroups are the groups of cluster-scoped resources that make no difference to the objects of a namespace, and are many.
var leftGroups = []string{
	"rbac.authorization.k8s.io", "flowcontrol.apiserver.k8s.io", "apiregistration.k8s.io", "certificates.k8s.io", "metrics.k8s.io",
	"internal.apiserver.k8s.io", "storagemigration.k8s.io",
}

// objects gets all objects.
func (k *kubectl) objects(ctx context.Context) ([]*unstructured.Unstructured, error) {
	namespaced, err := k.resources(ctx, true)
	if err != nil {
		return nil, err
	}
	global, err := k.resources(ctx, false)
	if err != nil {
		return nil, err
	}
	in := "--namespace=" + k.options.Namespace
	namespaced = slices.DeleteFunc(namespaced, func(name string) bool { return slices.Contains(left, name) })
	all, err := k.get(ctx, "namespaces", k.options.Namespace)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, cli.Usage("there is no namespace "+k.options.Namespace, "kubectl get namespaces")
	}
	own, err := k.get(ctx, strings.Join(namespaced, ","), in)
	if err != nil {
		return nil, err
	}
	global = slices.DeleteFunc(global, isLeftOut)
	cluster, err := k.get(ctx, strings.Join(global, ","))
	if err != nil {
		return nil, err
	}
	cluster = slices.DeleteFunc(cluster, k.isForeign)
	// The Events of Nodes are in the namespace default.
	events, err := k.get(ctx, "events", "--namespace=default", "--field-selector=involvedObject.kind=Node")
	if err != nil {
		return nil, err
	}
	all = slices.Concat(all, cluster, own, events)
	definitions, err := k.definitions(ctx, own)
	if err != nil {
		return nil, err
	}
	all = slices.Concat(definitions, all)
	for _, o := range all {
		if snapshot.MakeShareable(o) {
			k.hidden++
		}
	}
	return all, nil
}

// resources are those that can be listed, as kubectl names them: deployments.apps.
func (k *kubectl) resources(ctx context.Context, namespaced bool) ([]string, error) {
	out, err := k.run(ctx, "api-resources", "--verbs=list", fmt.Sprintf("--namespaced=%t", namespaced), "--output=name")
	return strings.Fields(string(out)), err
}

// isLeftOut reports whether a cluster-scoped resource is not captured: it is captured if the simulation has it.
func isLeftOut(name string) bool {
	resource := schema.ParseGroupResource(name)
	switch {
	case slices.Contains(leftGroups, resource.Group), resource.Resource == "namespaces", resource.Resource == "componentstatuses":
		return true
	case resource.Resource == "customresourcedefinitions": // those of the objects only, see definitions
		return true
	}
	return kinds.BuiltIn().Of(resource) == nil
}

// isForeign reports whether a PersistentVolume belongs to a claim in another namespace.
func (k *kubectl) isForeign(o *unstructured.Unstructured) bool {
	claim, found, _ := unstructured.NestedString(o.Object, "spec", "claimRef", "namespace")
	return o.GetKind() == "PersistentVolume" && found && claim != k.options.Namespace
}

// definitions are the CustomResourceDefinitions of objects.
func (k *kubectl) definitions(ctx context.Context, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	isCustom := func(o *unstructured.Unstructured) bool { return kinds.BuiltIn().Serving(o.GroupVersionKind()) == nil }
	if !slices.ContainsFunc(objects, isCustom) {
		return nil, nil
	}
	all, err := k.get(ctx, "customresourcedefinitions")
	return slices.DeleteFunc(all, func(definition *unstructured.Unstructured) bool {
		group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
		kind, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
		return !slices.ContainsFunc(objects, func(o *unstructured.Unstructured) bool {
			return o.GetKind() == kind && o.GroupVersionKind().Group == group
		})
	}), err
}

// get gets objects.
func (k *kubectl) get(ctx context.Context, what ...string) ([]*unstructured.Unstructured, error) {
	if what[0] == "" {
		return nil, nil
	}
	out, err := k.run(ctx, append(append([]string{"get"}, what...), "--output=json", "--ignore-not-found")...)
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		return nil, err
	}
	var content map[string]any
	if err := json.Unmarshal(out, &content); err != nil {
		return nil, cli.Usage("kubectl get "+what[0]+" printed what is not JSON: "+err.Error(), "another version of kubectl")
	}
	object := &unstructured.Unstructured{Object: content}
	if !object.IsList() {
		return []*unstructured.Unstructured{object}, nil
	}
	list, err := object.ToList()
	if err != nil {
		return nil, cli.Usage("kubectl get "+what[0]+": "+err.Error(), "another version of kubectl")
	}
	var objects []*unstructured.Unstructured
	for i := range list.Items {
		objects = append(objects, &list.Items[i])
	}
	return objects, nil
}

// report says what is in the file.
func (k *kubectl) report(objects []*unstructured.Unstructured) {
	out := k.streams.Stderr()
	for _, line := range k.failed {
		fmt.Fprintf(out, "missing: %s\n", line)
	}
	fmt.Fprintf(out, "captured: %s\n", snapshot.Counts(objects))
	if k.hidden > 0 {
		fmt.Fprintf(out, "replaced: the values of Secrets and ConfigMaps, but not their keys (the env of containers is unchanged): %s\n",
			trace.Count(k.hidden, "object"))
	}
	fmt.Fprintf(out, "wrote %s; next: kubestep why %s\n", k.options.Out, k.options.Out)
}
