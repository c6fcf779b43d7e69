//go:build !kubernetes_before_1_36

package informer

import (
	"context"

	"k8s.io/client-go/informers"
)

// Start starts the informers of a factory, which end with ctx.
func Start(ctx context.Context, factory informers.SharedInformerFactory) {
	factory.StartWithContext(ctx)
}

// WaitForCacheSync waits until the caches of a factory have all objects, and reports whether they have: ctx may end before.
func WaitForCacheSync(ctx context.Context, factory informers.SharedInformerFactory) bool {
	return factory.WaitForCacheSyncWithContext(ctx).Err == nil
}
