package apiserver

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/util/compatibility"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// Emulation makes a server serve the kinds of an earlier version of Kubernetes, as --emulated-version does. Feature gates
// belong to the process, and are not part of it.
type Emulation struct {
	// Version is that of Kubernetes; nil means the version of the libraries.
	Version *version.Version
	// ForwardCompatible serves newer versions of the kinds that are served, as --emulation-forward-compatible.
	ForwardCompatible bool
	// RuntimeConfigForwardCompatible serves what the runtime config names even if it is newer than Version.
	RuntimeConfigForwardCompatible bool
}

// effective returns the version that upstream's handlers work with.
func (e Emulation) effective() basecompatibility.EffectiveVersion {
	if e.Version == nil {
		return compatibility.DefaultBuildEffectiveVersion()
	}
	return basecompatibility.NewEffectiveVersionFromString(e.Version.String(), "", "")
}

// removeUnavailable removes the kinds that the version has no longer or not yet, as InstallAPIs in
// pkg/controlplane/apiserver does, and returns the groups that are left.
func (e Emulation) removeUnavailable(
	groups []genericapiserver.APIGroupInfo, served *serverstorage.ResourceConfig,
) ([]genericapiserver.APIGroupInfo, error) {
	effective := e.effective()
	evaluator, err := genericapiserver.NewResourceExpirationEvaluatorFromOptions(genericapiserver.ResourceExpirationEvaluatorOptions{
		CurrentVersion: effective.EmulationVersion(), Prerelease: effective.BinaryVersion().PreRelease(),
		EmulationForwardCompatible: e.ForwardCompatible, RuntimeConfigEmulationForwardCompatible: e.RuntimeConfigForwardCompatible,
	})
	if err != nil {
		return nil, err
	}
	var left []genericapiserver.APIGroupInfo
	for _, group := range groups {
		storages := group.VersionedResourcesStorageMap
		if err := evaluator.RemoveUnavailableKinds(groupName(group), legacyscheme.Scheme, storages, served); err != nil {
			return nil, fmt.Errorf("group %q: %w", groupName(group), err)
		}
		// A group whose gates are off has no versions, either.
		if len(storages) > 0 {
			left = append(left, group)
		}
	}
	return left, nil
}
