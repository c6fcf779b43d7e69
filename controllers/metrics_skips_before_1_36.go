//go:build kubernetes_before_1_36

package controllers

// forgetSkips does nothing: no sync waits for a stale cache.
func forgetSkips() {}
