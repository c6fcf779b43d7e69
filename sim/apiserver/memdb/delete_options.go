//go:build !kubernetes_before_1_37

package memdb

import "k8s.io/apiserver/pkg/storage"

// mustNotDecode reports whether a deletion is for an object that cannot be decoded, and for no other.
func mustNotDecode(options storage.DeleteOptions) bool { return options.ExpectTransformOrDecodeError }
