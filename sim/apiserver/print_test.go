package apiserver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// send executes a request and prints the answer.
func (w *world) send(c command, req apiserver.Request) string {
	out, err := w.Do(req)
	if err != nil {
		return refusal(c, err)
	}
	if status, ok := out.(*metav1.Status); ok {
		return fmt.Sprintln(status.Status)
	}
	if meta.IsListType(out) {
		return w.many(c, req.Path(), out)
	}
	return one(c, req.Path(), out)
}

// one prints an object: its path and resourceVersion, its generation if it has one, and what the
// script wants to see.
func one(c command, path string, obj runtime.Object) string {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return fmt.Sprintf("%T\n", obj)
	}
	resource, sub, found := strings.Cut(path, "/")
	name := resource + "/" + accessor.GetName()
	if found {
		name += "/" + sub
	}
	var lines strings.Builder
	fmt.Fprintf(&lines, "%s rv=%s", name, accessor.GetResourceVersion())
	if generation := accessor.GetGeneration(); generation != 0 {
		fmt.Fprintf(&lines, " generation=%d", generation)
	}
	lines.WriteString("\n")
	if c.TestData == nil {
		return lines.String()
	}
	for _, path := range c.values("show") {
		fmt.Fprintf(&lines, "  %s:%s\n", path, shown(obj, path))
	}
	return lines.String()
}

// many prints a list and remembers where its next page begins.
func (w *world) many(c command, path string, obj runtime.Object) string {
	list, err := meta.ListAccessor(obj)
	if err != nil {
		return fmt.Sprintf("%T\n", obj)
	}
	w.page = list.GetContinue()
	var lines strings.Builder
	fmt.Fprintf(&lines, "list rv=%s", list.GetResourceVersion())
	if remaining := list.GetRemainingItemCount(); remaining != nil {
		fmt.Fprintf(&lines, " remainingItemCount=%d", *remaining)
	}
	if w.page != "" {
		lines.WriteString(" (to be continued)")
	}
	lines.WriteString("\n")
	_ = meta.EachListItem(obj, func(item runtime.Object) error {
		lines.WriteString(one(c, path, item))
		return nil
	})
	return lines.String()
}

// refusal prints an error of the server; with details, as the JSON that goes over the wire.
func refusal(c command, err error) string {
	var refused apierrors.APIStatus
	if !errors.As(err, &refused) {
		return "an error that is no Status: " + err.Error()
	}
	status := refused.Status()
	if c.HasArg("details") {
		status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
		text, err := json.MarshalIndent(status, "", "  ")
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	if status.Reason == "" {
		return fmt.Sprintf("%d: %s\n", status.Code, status.Message)
	}
	return fmt.Sprintf("%d %s: %s\n", status.Code, status.Reason, status.Message)
}

// inlineWidth is how long a value may be to be printed on the line of its path.
const inlineWidth = 70

// shown prints the value at a path such as spec.containers[0].image, or at all of spec.containers[*].image,
// with what separates the two.
func shown(obj runtime.Object, path string) string {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return err.Error()
	}
	value := valueAt(content, strings.Split(strings.ReplaceAll(path, "[", ".["), "."))
	if value == nil {
		return " -"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	if len(text) <= inlineWidth {
		return " " + string(text)
	}
	block, err := yaml.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return "\n    " + strings.ReplaceAll(strings.TrimSpace(string(block)), "\n", "\n    ")
}

func valueAt(value any, path []string) any {
	if len(path) == 0 {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		return valueAt(v[path[0]], path[1:])
	case []any:
		if path[0] == "[*]" {
			all := make([]any, len(v))
			for i := range v {
				all[i] = valueAt(v[i], path[1:])
			}
			return all
		}
		if i, err := strconv.Atoi(strings.Trim(path[0], "[]")); err == nil && i < len(v) {
			return valueAt(v[i], path[1:])
		}
	}
	return nil
}
