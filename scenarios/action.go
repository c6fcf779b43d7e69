package scenarios

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// actionText is how a step reads in the trace: the arguments that the kubectl command would have.
func actionText(st Step) string {
	switch {
	case st.Apply != "":
		return manifestNames(st.Apply)
	case st.Create != "":
		return manifestNames(st.Create)
	case st.Patch != nil:
		return st.Patch.Target
	case st.Scale != nil:
		return fmt.Sprintf("%s --replicas=%d", st.Scale.Target, st.Scale.Replicas)
	case st.SetImage != nil:
		return fmt.Sprintf("%s %s=%s", st.SetImage.Target, cmp.Or(st.SetImage.Container, "*"), st.SetImage.Image)
	case st.Rollout != nil:
		return rolloutText(st.Rollout)
	case st.Delete != nil:
		return deleteText(st.Delete)
	case st.Evict != "":
		return st.Evict
	case st.Label != nil:
		return metadateText(st.Label)
	case st.Annotate != nil:
		return metadateText(st.Annotate)
	case st.Controller != nil:
		verb, process := st.Controller.does()
		return verb + " " + process
	case st.Edit != nil:
		return st.Edit.Target
	case st.Pod != nil:
		return podText(st.Pod)
	case st.Node != nil:
		return nodeText(st.Node)
	case st.Load != nil && st.Load.PerPod != "":
		return st.Load.Name + " to " + string(st.Load.PerPod) + " per pod"
	case st.Load != nil:
		return st.Load.Name + " to " + string(st.Load.Total) + " in total"
	case st.Fault != nil:
		return faultText(st.Fault)
	case st.Wait != nil:
		return "for " + st.Wait.For
	case st.Ask != nil:
		return strings.TrimSpace(st.Ask.Question)
	case st.Expect != nil:
		return st.Expect.That
	}
	return ""
}

func deleteText(d *Delete) string {
	text := d.Target
	if d.Selector != "" {
		text += " -l " + d.Selector
	}
	if d.Cascade != "" && d.Cascade != "background" {
		text += " --cascade=" + d.Cascade
	}
	return text
}

func metadateText(m *Metadate) string {
	text := m.Target
	for _, key := range slices.Sorted(maps.Keys(m.Set)) {
		if value := m.Set[key]; value != nil {
			text += " " + key + "=" + *value
		} else {
			text += " " + key + "-"
		}
	}
	return text
}

// manifestNames lists the kinds and names in a YAML stream. What does not parse was refused long before.
func manifestNames(text string) string {
	var names []string
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var u unstructured.Unstructured
		if err := decoder.Decode(&u.Object); err != nil {
			return strings.Join(names, " ")
		}
		if len(u.Object) == 0 {
			continue
		}
		names = append(names, strings.ToLower(u.GetKind())+"/"+cmp.Or(u.GetName(), u.GetGenerateName()+"*"))
	}
}
