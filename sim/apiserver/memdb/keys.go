//go:build !kubernetes_before_1_35

package memdb

import "k8s.io/apiserver/pkg/storage"

// EnableResourceSizeEstimation implements storage.Interface. Sizes are known here, so the keys that
// an estimator would need are not asked for.
func (s *store) EnableResourceSizeEstimation(storage.KeysFunc) error {
	s.estimateSizes.Store(true)
	return nil
}

// cleanKey checks a caller's key.
func cleanKey(prefix, key string, recursive bool) (string, error) {
	return storage.PrepareKey(prefix, key, recursive)
}
