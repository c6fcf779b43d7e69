//go:build !kubernetes_before_1_36

package memdb

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// setShardInfo says in a list which shard of the objects it has, if the request asked for one.
func setShardInfo(predicate storage.SelectionPredicate, list runtime.Object) {
	predicate.SetShardInfoOnList(list)
}

// selectsAll reports whether a predicate selects every object.
func selectsAll(predicate storage.SelectionPredicate) bool {
	return predicate.Empty() && predicate.ShardSelector == nil
}
