package trace

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

// creations describe a new object, by its resource. Other resources are described like workloads; without replicas and
// Pod template, the name is enough.
var creations = map[string]func(object) string{
	"pods":                     newPod,
	"jobs":                     newJob,
	"cronjobs":                 func(o object) string { return o.withName("schedule", "spec", "schedule") },
	"horizontalpodautoscalers": newAutoscaler,
	"poddisruptionbudgets": func(o object) string {
		return phrases(o.withName("minAvailable", "spec", "minAvailable"), o.withName("maxUnavailable", "spec", "maxUnavailable"))
	},
	"persistentvolumeclaims": func(o object) string {
		return phrases(o.text("spec", "resources", "requests", "storage"), o.withName("class", "spec", "storageClassName"))
	},
	"persistentvolumes": func(o object) string { return o.text("spec", "capacity", "storage") },
	"services": func(o object) string {
		return strings.TrimSpace(o.text("spec", "type") + " " + o.text("spec", "clusterIP"))
	},
	"events": func(o object) string { return o.text("reason") },
	"endpointslices": func(o object) string {
		return "endpoints " + strconv.Itoa(len(o.list("endpoints")))
	},
}

func workload(o object) string {
	return phrases(o.withName("replicas", "spec", "replicas"), o.images("spec", "template", "spec"))
}

func newPod(o object) string {
	node := o.text("spec", "nodeName")
	if node != "" {
		node = "-> " + node
	}
	return phrases(o.images("spec"), node)
}

func newJob(o object) string {
	return phrases(o.withName("completions", "spec", "completions"), o.withName("parallelism", "spec", "parallelism"),
		o.images("spec", "template", "spec"))
}

func newAutoscaler(o object) string {
	target := o.text("spec", "scaleTargetRef", "kind") + "/" + o.text("spec", "scaleTargetRef", "name")
	return phrases(target, o.withName("min", "spec", "minReplicas"), o.withName("max", "spec", "maxReplicas"))
}

// object is a decoded object of the API.
type object map[string]any

func newObject(data json.RawMessage) object {
	value, err := diff.Decode(data)
	if err != nil {
		return nil
	}
	m, _ := value.(map[string]any)
	return m
}

func (o object) at(path ...string) any {
	var value any = map[string]any(o)
	for _, name := range path {
		m, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = m[name]
	}
	return value
}

// text is a field as text, "" when it is absent.
func (o object) text(path ...string) string {
	value := o.at(path...)
	if value == nil {
		return ""
	}
	return valueText(marshal(value))
}

// withName is a field preceded by its name, "" if it is absent.
func (o object) withName(name string, path ...string) string {
	text := o.text(path...)
	if text == "" {
		return ""
	}
	return name + " " + text
}

func (o object) list(path ...string) []any {
	list, _ := o.at(path...).([]any)
	return list
}

// images are those of the containers in a pod's spec.
func (o object) images(spec ...string) string {
	var images []string
	for _, c := range o.list(append(spec[:len(spec):len(spec)], "containers")...) {
		if container, ok := c.(map[string]any); ok {
			images = append(images, object(container).text("image"))
		}
	}
	switch len(images) {
	case 0:
		return ""
	case 1:
		return "image " + images[0]
	}
	return "images " + strings.Join(images, " ")
}

// phrases joins the texts that are not empty.
func phrases(texts ...string) string {
	var said []string
	for _, text := range texts {
		if text != "" {
			said = append(said, text)
		}
	}
	return strings.Join(said, ", ")
}
