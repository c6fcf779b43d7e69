//go:build linux

package kubelet

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/kubernetes/pkg/volume/util/hostutil"
	"k8s.io/kubernetes/pkg/volume/util/subpath"
)

// hostFiles is upstream's fake of what a kubelet asks about its machine, with the files of the node.
type hostFiles struct{ *hostutil.FakeHostUtil }

// PathExists implements hostutil.HostUtils.
func (hostFiles) PathExists(name string) (bool, error) {
	_, err := os.Lstat(name)
	if os.IsNotExist(err) {
		return false, nil
	}
	return err == nil, err
}

// GetFileType implements hostutil.HostUtils. A node has folders and files.
func (hostFiles) GetFileType(name string) (hostutil.FileType, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", err
	case info.IsDir():
		return hostutil.FileTypeDirectory, nil
	case info.Mode().IsRegular():
		return hostutil.FileTypeFile, nil
	}
	return "", fmt.Errorf("%s is neither a folder nor a file", name)
}

// GetMode implements hostutil.HostUtils.
func (hostFiles) GetMode(name string) (os.FileMode, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	return info.Mode(), nil
}

// subpaths are paths in volumes without the mounts that upstream makes for them: where a path leads to is looked up when its container
// starts, as with a mount.
type subpaths struct{ subpath.FakeSubpath }

// PrepareSafeSubpath implements subpath.Interface.
func (*subpaths) PrepareSafeSubpath(path subpath.Subpath) (name string, cleanUp func(), err error) {
	name, err = filepath.EvalSymlinks(path.Path)
	return name, nil, err
}

// SafeMakeDir implements subpath.Interface.
func (*subpaths) SafeMakeDir(name, base string, perm os.FileMode) error {
	full := filepath.Join(base, name)
	if err := os.MkdirAll(full, 0o700); err != nil {
		return err
	}
	return os.Chmod(full, perm)
}
