//go:build !kubernetes_before_1_36

package cri

import "context"

// Close implements RuntimeService.
func (r *Runtime) Close(context.Context) error { return nil }
