//go:build kubernetes_before_1_35

package memdb

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/storage"
)

// SetKeysFunc implements storage.Interface. Sizes are known here, so the keys that an estimator would need are not asked for.
func (s *store) SetKeysFunc(storage.KeysFunc) { s.estimateSizes.Store(true) }

// cleanKey checks a caller's key. The key of a list ends in a slash, so that it is not the beginning of the name of another
// resource.
func cleanKey(prefix, key string, recursive bool) (string, error) {
	steps := strings.Split(key, "/")
	if slices.Contains(steps, ".") || slices.Contains(steps, "..") {
		return "", fmt.Errorf("invalid key: %q", key)
	}
	if key == "" || key == "/" {
		return "", fmt.Errorf("empty key: %q", key)
	}
	if recursive && !strings.HasSuffix(key, "/") {
		key += "/"
	}
	if !strings.HasPrefix(key, prefix) {
		return "", fmt.Errorf("invalid key: %q lacks resource prefix: %q", key, prefix)
	}
	return key, nil
}
