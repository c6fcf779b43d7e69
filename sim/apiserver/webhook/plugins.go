package webhook

import (
	"context"
	"io"
	"sync"

	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
)

// RegisterMutating registers upstream's MutatingAdmissionWebhook, which is made when there is a webhook.
//
// Upstream's constructor compiles the environments of matchConditions, in CEL, for about 3 ms, and most clusters of a simulation have no
// webhook: both plugins took a sixth of the start of a run. Without a webhook they do nothing.
func RegisterMutating(plugins *admission.Plugins) {
	upstream := func(config io.Reader) (admission.Interface, error) { return mutating.NewMutatingWebhook(config) }
	register(plugins, mutating.PluginName, upstream, func(p *postponed) admission.Interface { return postponedMutating{p} })
}

// RegisterValidating registers upstream's ValidatingAdmissionWebhook in the same way.
func RegisterValidating(plugins *admission.Plugins) {
	upstream := func(config io.Reader) (admission.Interface, error) {
		return validating.NewValidatingAdmissionWebhook(config)
	}
	register(plugins, validating.PluginName, upstream, func(p *postponed) admission.Interface { return postponedValidating{p} })
}

// register registers a plugin that is made later, or at once if it has a configuration, which may be wrong.
func register(plugins *admission.Plugins, name string, upstream admission.Factory, postpone func(*postponed) admission.Interface) {
	plugins.Register(name, func(config io.Reader) (admission.Interface, error) {
		if config != nil {
			return upstream(config)
		}
		p := &postponed{Handler: admission.NewHandler(admission.Connect, admission.Create, admission.Delete, admission.Update)}
		p.plugin = sync.OnceValues(func() (admission.Interface, error) {
			plugin, err := upstream(nil)
			if err != nil {
				return nil, err
			}
			p.initializers.Initialize(plugin)
			return plugin, admission.ValidateInitialization(plugin)
		})
		return postpone(p), nil
	})
}

// Postponed implements admission.PluginInitializer: it gives each plugin that is made later what it needs then.
type Postponed struct {
	// Initializers are those of upstream's plugins.
	Initializers admission.PluginInitializers
	// Any reports whether there is a webhook.
	Any func() bool
}

// Initialize implements admission.PluginInitializer.
func (i Postponed) Initialize(plugin admission.Interface) {
	switch of := plugin.(type) {
	case postponedMutating:
		of.any, of.initializers = i.Any, i.Initializers
	case postponedValidating:
		of.any, of.initializers = i.Any, i.Initializers
	}
}

// postponed is a plugin of upstream's that is made when it is needed.
type postponed struct {
	*admission.Handler
	any          func() bool
	initializers admission.PluginInitializers
	plugin       func() (admission.Interface, error)
}

// postponedMutating implements admission.MutationInterface.
type postponedMutating struct{ *postponed }

// Admit implements admission.MutationInterface.
func (p postponedMutating) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if !p.any() {
		return nil
	}
	plugin, err := p.plugin()
	if err != nil {
		return err
	}
	return plugin.(admission.MutationInterface).Admit(ctx, a, o)
}

// postponedValidating implements admission.ValidationInterface.
type postponedValidating struct{ *postponed }

// Validate implements admission.ValidationInterface.
func (p postponedValidating) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if !p.any() {
		return nil
	}
	plugin, err := p.plugin()
	if err != nil {
		return err
	}
	return plugin.(admission.ValidationInterface).Validate(ctx, a, o)
}
