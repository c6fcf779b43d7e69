//go:build kubernetes_before_1_37

package webhook

import (
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	"k8s.io/client-go/informers"

	"github.com/kubestep/kubestep/sim/process/unexported"
)

// replaceSource puts a source between a plugin and upstream's source.
func replaceSource(plugin *generic.Webhook, around func(generic.Source) generic.Source) {
	factory := unexported.Field[func(informers.SharedInformerFactory) generic.Source](plugin, unexported.SourceFactory)
	upstream := *factory
	*factory = func(caches informers.SharedInformerFactory) generic.Source { return around(upstream(caches)) }
}
