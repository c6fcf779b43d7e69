//go:build kubernetes_before_1_36

package cri

// Close implements RuntimeService.
func (r *Runtime) Close() error { return nil }
