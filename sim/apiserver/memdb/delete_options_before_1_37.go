//go:build kubernetes_before_1_37

package memdb

import "k8s.io/apiserver/pkg/storage"

// mustNotDecode is no question for a storage before Kubernetes 1.37: the registry reads the object before it is deleted.
func mustNotDecode(storage.DeleteOptions) bool { return false }
