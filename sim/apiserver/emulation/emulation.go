// Package emulation makes an API server serve the API of an earlier version of Kubernetes, as the flag --emulated-version of
// kube-apiserver does: kinds that came later are not served, and kinds that have been removed since are.
package emulation

import (
	"fmt"

	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/util/compatibility"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// Options say what is emulated. Feature gates belong to the process, and are not part of it.
type Options struct {
	// Version is the emulated version of Kubernetes, with the version of the binary and the oldest version to which an
	// API server on the same store may be rolled back; nil means the version of the libraries for all.
	Version basecompatibility.EffectiveVersion
	// ForwardCompatible serves newer versions of the kinds that are served, as --emulation-forward-compatible.
	ForwardCompatible bool
	// RuntimeConfigForwardCompatible serves what the runtime config names even if it is newer than Version.
	RuntimeConfigForwardCompatible bool
}

// Effective returns the version that upstream's handlers work with.
func (o Options) Effective() basecompatibility.EffectiveVersion {
	if o.Version == nil {
		return compatibility.DefaultBuildEffectiveVersion()
	}
	return o.Version
}

// RemoveUnavailable removes the kinds that the version has no longer or not yet, as InstallAPIs in
// pkg/controlplane/apiserver does, and returns the groups that are left.
func (o Options) RemoveUnavailable(
	groups []genericapiserver.APIGroupInfo, served *serverstorage.ResourceConfig,
) ([]genericapiserver.APIGroupInfo, error) {
	effective := o.Effective()
	evaluator, err := genericapiserver.NewResourceExpirationEvaluatorFromOptions(genericapiserver.ResourceExpirationEvaluatorOptions{
		CurrentVersion: effective.EmulationVersion(), Prerelease: effective.BinaryVersion().PreRelease(),
		EmulationForwardCompatible: o.ForwardCompatible, RuntimeConfigEmulationForwardCompatible: o.RuntimeConfigForwardCompatible,
	})
	if err != nil {
		return nil, err
	}
	var left []genericapiserver.APIGroupInfo
	for _, group := range groups {
		name := ""
		if len(group.PrioritizedVersions) > 0 {
			name = group.PrioritizedVersions[0].Group
		}
		storages := group.VersionedResourcesStorageMap
		if err := evaluator.RemoveUnavailableKinds(name, legacyscheme.Scheme, storages, served); err != nil {
			return nil, fmt.Errorf("group %q: %w", name, err)
		}
		// A group whose gates are off has no versions, either.
		if len(storages) > 0 {
			left = append(left, group)
		}
	}
	return left, nil
}
