//go:build linux

package kubelet

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/volume"
)

// recorded is a plugin, and a mounter, that remembers for whom it sets up a volume.
type recorded struct {
	volume.VolumePlugin
	volume.Mounter
	args []volume.MounterArgs
}

func (r *recorded) NewMounter(*volume.Spec, *corev1.Pod) (volume.Mounter, error) { return r, nil }

func (r *recorded) SetUp(args volume.MounterArgs) error {
	r.args = append(r.args, args)
	return nil
}

func (r *recorded) SetUpAt(_ string, args volume.MounterArgs) error { return r.SetUp(args) }

// TestVolumesHaveNoOwner: no volume is set up for a group or a user, which only an administrator could do.
func TestVolumesHaveNoOwner(t *testing.T) {
	for _, plugin := range volumePlugins(nil) {
		if owned, ok := plugin.(ownerless); !ok && plugin.GetPluginName() != "kubernetes.io/host-path" {
			t.Errorf("%s: %T", plugin.GetPluginName(), owned)
		}
	}
	told := &recorded{}
	mounter, err := ownerless{told, nil}.NewMounter(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	group, user := int64(2000), int64(1000)
	args := volume.MounterArgs{FsGroup: &group, FsUser: &user}
	if err := mounter.SetUp(args); err != nil {
		t.Fatal(err)
	}
	if err := mounter.SetUpAt("/a", args); err != nil {
		t.Fatal(err)
	}
	for _, got := range told.args {
		if got.FsGroup != nil || got.FsUser != nil {
			t.Errorf("set up for %v and %v", got.FsGroup, got.FsUser)
		}
	}
	if len(told.args) != 2 {
		t.Errorf("set up %d times", len(told.args))
	}
}
