package webhook

import (
	"strings"
	"testing"

	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
)

// made notes the plugins that are initialized.
type made struct{ plugins []admission.Interface }

func (m *made) Initialize(plugin admission.Interface) { m.plugins = append(m.plugins, plugin) }

// TestPluginsAreMadeForTheFirstWebhook gives the plugins nothing of what they need, so that using one of upstream's is an error.
func TestPluginsAreMadeForTheFirstWebhook(t *testing.T) {
	plugins := admission.NewPlugins()
	RegisterMutating(plugins)
	RegisterValidating(plugins)
	for _, name := range []string{mutating.PluginName, validating.PluginName} {
		there, noted := false, &made{}
		later := Postponed{Initializers: admission.PluginInitializers{noted}, Any: func() bool { return there }}
		plugin, err := plugins.InitPlugin(name, nil, admission.PluginInitializers{later})
		if err != nil {
			t.Fatal(err)
		}
		ask := func() error {
			if mutates, ok := plugin.(admission.MutationInterface); ok {
				return mutates.Admit(t.Context(), nil, nil)
			}
			return plugin.(admission.ValidationInterface).Validate(t.Context(), nil, nil)
		}
		if err := ask(); err != nil || len(noted.plugins) > 0 || !plugin.Handles(admission.Update) {
			t.Errorf("%s: without a webhook: %v, %T", name, err, noted.plugins)
		}
		there = true
		for range 2 {
			if err := ask(); err == nil || !strings.Contains(err.Error(), "not properly setup") {
				t.Errorf("%s: with a webhook: %v", name, err)
			}
		}
		if len(noted.plugins) != 1 {
			t.Errorf("%s was made %d times", name, len(noted.plugins))
		}
		if _, err := plugins.InitPlugin(name, strings.NewReader("kind: Nothing"), admission.PluginInitializers{later}); err == nil {
			t.Errorf("%s: a wrong configuration is no error at the start", name)
		}
	}
}
