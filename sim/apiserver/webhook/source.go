//go:build !kubernetes_before_1_37

package webhook

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	"k8s.io/client-go/informers"

	"github.com/kubestep/kubestep/sim/process/unexported"
)

// sourceFactory makes the source of a plugin's webhooks, which leaves out the ones for excluded resources.
type sourceFactory = func(_ informers.SharedInformerFactory, excluded sets.Set[schema.GroupResource]) generic.Source

// replaceSource puts a source between a plugin and upstream's source.
func replaceSource(plugin *generic.Webhook, around func(generic.Source) generic.Source) {
	factory := unexported.Field[sourceFactory](plugin, unexported.SourceFactory)
	upstream := *factory
	*factory = func(caches informers.SharedInformerFactory, excluded sets.Set[schema.GroupResource]) generic.Source {
		return around(upstream(caches, excluded))
	}
}
