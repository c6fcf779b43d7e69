package cri

import (
	"path"
	"strings"
	"time"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// What programs, as data, write to the disk of their node, and how many processes they have. What a program writes is in its container, and
// gone with it, or in the volume that is mounted at the folder in which it writes.

// volume is the folder of the node that is mounted where the program of a container writes; empty if it writes in its container. A tmpfs
// is not on the disk, so memory is true.
func (r *Runtime) volume(c *container) (folder string, memory bool) {
	if c.program.WritesTo == "" {
		return "", false
	}
	var at string
	for _, m := range c.config.GetMounts() {
		mounted := path.Clean(m.GetContainerPath())
		if isBelow(c.program.WritesTo, mounted) && len(mounted) > len(at) {
			at, folder = mounted, m.GetHostPath()
		}
	}
	return folder, r.memory[folder]
}

// isBelow reports whether a path is a folder, or in it.
func isBelow(name, folder string) bool {
	return path.Clean(name) == folder || strings.HasPrefix(path.Clean(name), strings.TrimSuffix(folder, "/")+"/")
}

// wrote is how many bytes a container has written.
func (c *container) wrote(now time.Time) uint64 {
	if c.started.IsZero() || c.program.Writes == 0 {
		return 0
	}
	if !c.ends.IsZero() && c.ends.Before(now) {
		now = c.ends
	}
	return uint64(now.Sub(c.started).Seconds() * float64(c.program.Writes))
}

// layer is how many bytes a container has in its own file system.
func (r *Runtime) layer(c *container, now time.Time) uint64 {
	if folder, _ := r.volume(c); folder != "" {
		return 0
	}
	return c.wrote(now)
}

// inVolumes is how many bytes programs have written to the volumes on the disk below a folder of the node; to all if it is empty. The
// caller holds the lock.
func (r *Runtime) inVolumes(below string, now time.Time) (used uint64) {
	isIn := func(folder string) bool { return folder != "" && (below == "" || isBelow(folder, below)) }
	for folder, left := range r.left {
		if isIn(folder) {
			used += left
		}
	}
	for _, c := range r.containers.byID {
		if folder, memory := r.volume(c); isIn(folder) && !memory {
			used += c.wrote(now)
		}
	}
	return used
}

// VolumeUsed is how many bytes programs have written to a volume, which is a folder of the node.
func (r *Runtime) VolumeUsed(folder string) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inVolumes(folder, time.Now())
}

// DeleteVolume notes that a volume and what is in it are gone.
func (r *Runtime) DeleteVolume(folder string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name := range r.left {
		if isBelow(name, folder) {
			delete(r.left, name)
		}
	}
	for _, c := range r.containers.byID {
		if in, _ := r.volume(c); in != "" && isBelow(in, folder) {
			c.program.Writes = 0
		}
	}
}

// leaves notes what a container that is removed leaves behind in a volume. The caller holds the lock.
func (r *Runtime) leaves(c *container) {
	if folder, memory := r.volume(c); folder != "" && !memory {
		if wrote := c.wrote(time.Now()); wrote > 0 {
			r.left[folder] += wrote
		}
	}
}

// DiskUsed is how many bytes images, containers and volumes have on the disk of the node.
func (r *Runtime) DiskUsed() uint64 {
	used := r.ImagesSize()
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for _, c := range r.containers.byID {
		used += r.layer(c, now)
	}
	return used + r.inVolumes("", now)
}

// forked is how many processes a container that runs has.
func (c *container) forked(now time.Time) uint64 {
	return 1 + uint64(now.Sub(c.started).Seconds()*float64(c.program.Forks))
}

// Processes is how many processes the containers have, with one for each Pod that holds its network.
func (r *Runtime) Processes() (count uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for _, s := range r.sandboxes.byID {
		if !s.stopped {
			count++
		}
	}
	for _, c := range r.containers.byID {
		if c.runs(now) {
			count += c.forked(now)
		}
	}
	return count
}

// Cgroup is the cgroup of a container that runs: what its processes use.
type Cgroup struct {
	ID, Pod           string
	Labels            map[string]string
	Memory, Processes uint64
}

// Cgroups are those of the containers that run, the newest first.
func (r *Runtime) Cgroups() (list []Cgroup) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.containers.all(func(c *container) {
		if s := r.sandboxes.byID[c.sandbox]; s != nil && c.runs(now) {
			list = append(list, Cgroup{c.id, s.config.GetMetadata().GetUid(), c.config.GetLabels(), uint64(c.memory(now)), c.forked(now)})
		}
	})
	return list
}

// filesystem is what a container uses of the disk.
func (r *Runtime) filesystem(c *container, now time.Time) *runtimeapi.FilesystemUsage {
	return &runtimeapi.FilesystemUsage{
		Timestamp: now.UnixNano(), FsId: &runtimeapi.FilesystemIdentifier{Mountpoint: "/"},
		UsedBytes: &runtimeapi.UInt64Value{Value: r.layer(c, now)}, InodesUsed: &runtimeapi.UInt64Value{},
	}
}
