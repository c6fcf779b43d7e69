//go:build kubernetes_before_1_36

package memdb

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// setShardInfo does nothing: nobody could ask for a shard.
func setShardInfo(storage.SelectionPredicate, runtime.Object) {}

// selectsAll reports whether a predicate selects every object.
func selectsAll(predicate storage.SelectionPredicate) bool { return predicate.Empty() }
