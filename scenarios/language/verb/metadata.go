package verb

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// Metadata is the common part of label and annotate: a null value removes the key.
type Metadata struct {
	Target string             `yaml:"target" required:"true" example:"pod/web-0" doc:"KIND/NAME or NAMESPACE/KIND/NAME."`
	Set    map[string]*string `yaml:"set" required:"true" example:"{tier: null, track: canary}" doc:"Keys and values; null removes a key."`
}

// String is the arguments of kubectl label and annotate.
func (m *Metadata) String() string {
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

func (m *Metadata) check(c *format.Checker, areLabels bool) {
	c.Target("target", m.Target, "", nil)
	if len(m.Set) == 0 && c.Has("set") {
		c.Fail("set", "{KEY: VALUE}", "sets nothing")
	}
	for _, key := range slices.Sorted(maps.Keys(m.Set)) {
		at := "set[" + key + "]"
		c.LabelKey(at, key)
		if value := m.Set[key]; areLabels && value != nil {
			c.LabelValue(at, *value)
		}
	}
}

// set patches a field of the metadata, as kubectl does with --overwrite.
func (m *Metadata) set(w World, field string) error {
	target, err := notation.ParseTarget(w.Scenario().Kinds(), m.Target)
	if err != nil {
		return err
	}
	return sendPatch(w, target, types.MergePatchType, "",
		map[string]any{"metadata": map[string]any{field: m.Set}})
}
