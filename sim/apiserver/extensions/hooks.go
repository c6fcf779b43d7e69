package extensions

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	genericapiserver "k8s.io/apiserver/pkg/server"
)

// runHooks does what upstream's RunPostStartHooks does, in the order of the names. Upstream's ends the process if a hook returns an
// error. The one that waits for the definitions returns the error of its context, and here a context often ends first: a short
// test does not end its process.
func runHooks(ctx context.Context, server *genericapiserver.GenericAPIServer) {
	hooks := map[string]genericapiserver.PostStartHookFunc{}
	for name, entry := range server.PostStartHooks() {
		// The type of an entry and its fields are not exported.
		readable := reflect.New(reflect.TypeOf(entry)).Elem()
		readable.Set(reflect.ValueOf(entry))
		field := readable.FieldByName("hook")
		hooks[name] = *(*genericapiserver.PostStartHookFunc)(field.Addr().UnsafePointer())
	}
	started := genericapiserver.PostStartHookContext{LoopbackClientConfig: server.LoopbackClientConfig, Context: ctx}
	for _, name := range slices.Sorted(maps.Keys(hooks)) {
		go func() {
			if err := hooks[name](started); err != nil && ctx.Err() == nil {
				panic(fmt.Sprintf("apiextensions-apiserver: the hook %s failed: %v", name, err))
			}
		}()
	}
}
