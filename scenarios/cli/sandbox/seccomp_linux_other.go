//go:build linux && !amd64 && !arm64

package sandbox

func filterCalls() bool { return false }

func sealCalls() error { return nil }
