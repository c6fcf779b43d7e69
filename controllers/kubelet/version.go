//go:build linux

package kubelet

import (
	"sync/atomic"
	_ "unsafe" // for linkname
)

// gitVersion is what k8s.io/component-base/version.Get returns. Kubernetes' own build sets it with a flag of the linker; the function that
// sets it later, SetDynamicVersion, refuses another version than that.
//
//go:linkname gitVersion k8s.io/component-base/version.dynamicGitVersion
var gitVersion atomic.Value

// SetVersion sets the version that kubelets report of themselves, and returns the function that reverts this.
func SetVersion(version string) (restore func()) {
	before := gitVersion.Swap(version)
	return func() { gitVersion.Store(before) }
}
