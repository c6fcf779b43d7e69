package controllers

import (
	"runtime/debug"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

// KubernetesVersion is the version of k8s.io/kubernetes whose controllers run, such as v1.37.2.
var KubernetesVersion = kubernetesVersion()

// pinnedVersion is the version in go.mod, for binaries that carry no build information (go test).
const pinnedVersion = versions.Main

func kubernetesVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return pinnedVersion
	}
	for _, module := range info.Deps {
		if module.Path == "k8s.io/kubernetes" && strings.HasPrefix(module.Version, "v") {
			return module.Version
		}
	}
	return pinnedVersion
}
