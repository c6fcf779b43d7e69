//go:build !kubernetes_before_1_37

package apiserver

import "encoding/json"

// isPatch reports whether a patch is JSON at all, which the handler looks at first.
func isPatch(patch []byte) bool { return json.Valid(patch) }
