package cri

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// image is one that was pulled.
type image struct {
	name string
	size uint64
}

// images implements ImageManagerService of k8s.io/cri-api/pkg/apis.
type images struct{ *Runtime }

// reference is the digest of an image; the name alone decides it.
func reference(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// The sizes of images: a plausible one between 20 and 220 million bytes, the same on every node.
const (
	sizeMin = 20_000_000
	sizes   = 200_000_000
)

func (i *image) proto() *runtimeapi.Image {
	return &runtimeapi.Image{
		Id: reference(i.name), RepoTags: []string{i.name}, Size: i.size, Spec: &runtimeapi.ImageSpec{Image: i.name},
	}
}

// find looks for an image by its name or its digest.
func (i images) find(name string) *image {
	if found := i.images.byID[name]; found != nil {
		return found
	}
	for _, known := range i.images.byID {
		if reference(known.name) == name {
			return known
		}
	}
	return nil
}

// ListImages implements ImageManagerService.
func (i images) ListImages(context.Context, *runtimeapi.ImageFilter) (list []*runtimeapi.Image, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.images.all(func(one *image) { list = append(list, one.proto()) })
	return list, nil
}

// ImageStatus implements ImageManagerService.
func (i images) ImageStatus(_ context.Context, spec *runtimeapi.ImageSpec, _ bool) (*runtimeapi.ImageStatusResponse, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if found := i.find(spec.GetImage()); found != nil {
		return &runtimeapi.ImageStatusResponse{Image: found.proto()}, nil
	}
	return &runtimeapi.ImageStatusResponse{}, nil
}

// PullImage implements ImageManagerService: it takes as long as the image's program says, and fails as it says. It takes no time to pull an
// image that is there: all of its layers are.
func (i images) PullImage(
	ctx context.Context, spec *runtimeapi.ImageSpec, _ *runtimeapi.AuthConfig, pod *runtimeapi.PodSandboxConfig,
) (string, error) {
	name, began := spec.GetImage(), time.Now()
	i.mu.Lock()
	pull := i.pullOf(name)
	failed := i.pulls[name]
	takes := i.draw("pull|"+name+"|"+strconv.Itoa(failed), pull.Takes)
	if i.images.byID[name] != nil {
		takes = 0
	}
	i.mu.Unlock()
	if takes > 0 {
		i.notice(pod.GetMetadata(), trace.Container{Pull: &trace.Pull{Image: name, Begins: true}})
	}
	err := sleep(ctx, takes)
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case err != nil && i.options.Context != nil && i.options.Context.Err() != nil:
		return "", err // the simulation is over
	case err != nil: // the Pod is deleted meanwhile, or its kubelet ends
	case i.cannotPull(name):
		err = unpulled(name, "not found")
	case pull.Fails != "" && (pull.Times == 0 || failed < pull.Times):
		i.pulls[name]++
		err = unpulled(name, pull.Fails)
	}
	ended := &trace.Pull{Image: name, Took: time.Since(began)}
	if err != nil {
		ended.Error = err.Error()
	}
	i.notice(pod.GetMetadata(), trace.Container{Pull: ended})
	if err != nil {
		return "", err
	}
	if i.images.byID[name] == nil {
		i.images.add(name, &image{name: name, size: sizeMin + engine.Hash(0, "image|"+name)%sizes})
	}
	return reference(name), nil
}

// unpulled is the error of a pull, in the words of containerd.
func unpulled(name, why string) error {
	return errors.New("failed to pull and unpack image \"" + name + "\": " + why)
}

// RemoveImage implements ImageManagerService.
func (i images) RemoveImage(_ context.Context, spec *runtimeapi.ImageSpec) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if found := i.find(spec.GetImage()); found != nil {
		i.images.remove(found.name)
	}
	return nil
}

// ImageFsInfo implements ImageManagerService: what images use of the disk.
func (i images) ImageFsInfo(context.Context) (*runtimeapi.ImageFsInfoResponse, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	var used uint64
	for _, one := range i.images.byID {
		used += one.size
	}
	disk := []*runtimeapi.FilesystemUsage{{
		Timestamp: time.Now().UnixNano(), FsId: &runtimeapi.FilesystemIdentifier{Mountpoint: "/"},
		UsedBytes: &runtimeapi.UInt64Value{Value: used}, InodesUsed: &runtimeapi.UInt64Value{Value: uint64(len(i.images.ids))},
	}}
	return &runtimeapi.ImageFsInfoResponse{ImageFilesystems: disk, ContainerFilesystems: disk}, nil
}

// Pulled are the names of the images that are there, as Pods name them: without the tag that a kubelet adds.
func (r *Runtime) Pulled() (names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range r.images.ids {
		names = append(names, strings.TrimSuffix(name, ":latest"))
	}
	return names
}

// ImagesSize is how many bytes images use.
func (r *Runtime) ImagesSize() (used uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.images.byID {
		used += one.size
	}
	return used
}
