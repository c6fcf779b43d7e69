//go:build linux

package kubelet

import (
	"io/fs"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/volume"
	"k8s.io/kubernetes/pkg/volume/configmap"
	"k8s.io/kubernetes/pkg/volume/downwardapi"
	"k8s.io/kubernetes/pkg/volume/emptydir"
	"k8s.io/kubernetes/pkg/volume/hostpath"
	"k8s.io/kubernetes/pkg/volume/image"
	"k8s.io/kubernetes/pkg/volume/projected"
	"k8s.io/kubernetes/pkg/volume/secret"

	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// volumePlugins are those of a kubelet.
func (o Options) volumePlugins() []volume.VolumePlugin {
	all := volumePlugins(o.Runtime.Runtime)
	if o.CSI != nil {
		all = append(all, o.CSI.plugins(o.Node)...)
	}
	return all
}

// volumePlugins are upstream's for the volumes that need nothing but files.
func volumePlugins(runtime *cri.Runtime) (all []volume.VolumePlugin) {
	for _, plugin := range emptydir.ProbeVolumePlugins() {
		all = append(all, ownerless{emptyDirs{plugin, runtime}, runtime})
	}
	for _, probe := range []func() []volume.VolumePlugin{
		configmap.ProbeVolumePlugins, secret.ProbeVolumePlugins, projected.ProbeVolumePlugins, downwardapi.ProbeVolumePlugins,
		image.ProbeVolumePlugins,
	} {
		for _, plugin := range probe() {
			all = append(all, ownerless{plugin, runtime})
		}
	}
	return append(all, hostpath.ProbeVolumePlugins(volume.VolumeConfig{})...)
}

// ownerless is a plugin whose files belong to the user that runs the simulation, whatever fsGroup and runAsUser of a Pod say: only an
// administrator of the machine may give files away, and a run is the same for everybody.
type ownerless struct {
	volume.VolumePlugin
	runtime *cri.Runtime
}

// NewMounter implements volume.VolumePlugin.
func (p ownerless) NewMounter(spec *volume.Spec, pod *corev1.Pod) (volume.Mounter, error) {
	mounter, err := p.VolumePlugin.NewMounter(spec, pod)
	return ownerlessMounter{mounter, p.runtime}, err
}

type ownerlessMounter struct {
	volume.Mounter
	runtime *cri.Runtime
}

// GetMetrics implements volume.MetricsProvider: what is in the volume, as the sizes of files and what programs, as data, have written.
// Upstream's would count the blocks of the machine's disk.
func (m ownerlessMounter) GetMetrics() (*volume.Metrics, error) {
	used, files := int64(m.runtime.VolumeUsed(m.GetPath())), int64(0)
	err := filepath.WalkDir(m.GetPath(), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		files++
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			used += info.Size()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &volume.Metrics{
		Time: metav1.Now(), Used: resource.NewQuantity(used, resource.BinarySI),
		InodesUsed: resource.NewQuantity(files, resource.DecimalSI),
	}, nil
}

// SetUp implements volume.Mounter.
func (m ownerlessMounter) SetUp(args volume.MounterArgs) error {
	args.FsGroup, args.FsUser = nil, nil
	return m.Mounter.SetUp(args)
}

// SetUpAt implements volume.Mounter.
func (m ownerlessMounter) SetUpAt(dir string, args volume.MounterArgs) error {
	args.FsGroup, args.FsUser = nil, nil
	return m.Mounter.SetUpAt(dir, args)
}

// emptyDirs is upstream's plugin for emptyDir, in which a volume is always a folder: the plugin asks the kernel whether a folder is a
// tmpfs (statfs), which the folders of a node are not. The volumes of ConfigMaps, Secrets and tokens are emptyDirs, too.
type emptyDirs struct {
	volume.VolumePlugin
	runtime *cri.Runtime
}

// NewMounter implements volume.VolumePlugin.
func (p emptyDirs) NewMounter(spec *volume.Spec, pod *corev1.Pod) (volume.Mounter, error) {
	if v := spec.Volume; v != nil && v.EmptyDir != nil && v.EmptyDir.Medium != corev1.StorageMediumDefault {
		onDisk := v.DeepCopy()
		onDisk.EmptyDir.Medium = corev1.StorageMediumDefault
		spec = volume.NewSpecFromVolume(onDisk)
		mounter, err := p.VolumePlugin.NewMounter(spec, pod)
		if err == nil && v.EmptyDir.Medium == corev1.StorageMediumMemory {
			p.runtime.KeepInMemory(mounter.GetPath())
		}
		return mounter, err
	}
	return p.VolumePlugin.NewMounter(spec, pod)
}

// NewUnmounter implements volume.VolumePlugin.
func (p emptyDirs) NewUnmounter(name string, pod types.UID) (volume.Unmounter, error) {
	unmounter, err := p.VolumePlugin.NewUnmounter(name, pod)
	return folder{unmounter, p.runtime}, err
}

// folder is the end of a volume that is a folder.
type folder struct {
	volume.Unmounter
	runtime *cri.Runtime
}

// TearDown implements volume.Unmounter.
func (f folder) TearDown() error { return f.TearDownAt(f.GetPath()) }

// TearDownAt implements volume.Unmounter.
func (f folder) TearDownAt(dir string) error {
	f.runtime.DeleteVolume(dir)
	return os.RemoveAll(dir)
}
