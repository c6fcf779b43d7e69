//go:build linux && kubernetes_before_1_37

package kubelet

import (
	"context"
	"math"
	"path"
	"reflect"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cadvisor"
)

// hardware is the machine of a node as cAdvisor reports it. The module with its types has another name since 1.37, and go mod tidy of a
// module that requires kubestep looks for what files for any version import. So the types are those of the methods of upstream's interface,
// and their fields are set by name.
type hardware[Machine, Version, FileSystem, Options, Info, Requested any] struct{ machine }

// newHardware returns what a kubelet asks of cAdvisor.
func newHardware(m machine) cadvisor.Interface {
	return inferHardware(m, cadvisor.Interface.MachineInfo, cadvisor.Interface.VersionInfo, cadvisor.Interface.RootFsInfo,
		cadvisor.Interface.ContainerInfoV2, cadvisor.Interface.GetRequestedContainersInfo)
}

func inferHardware[Machine, Version, FileSystem, Options, Info, Requested any](
	m machine, _ func(cadvisor.Interface) (*Machine, error), _ func(cadvisor.Interface) (*Version, error),
	_ func(cadvisor.Interface) (FileSystem, error), _ func(cadvisor.Interface, string, Options) (map[string]Info, error),
	_ func(cadvisor.Interface, string, Options) (map[string]*Requested, error),
) *hardware[Machine, Version, FileSystem, Options, Info, Requested] {
	return &hardware[Machine, Version, FileSystem, Options, Info, Requested]{m}
}

// set sets a field. Its path goes through pointers, and through the first element of a slice, which are made if need be. A value of nil
// makes the pointer itself.
func set(pointer any, path string, value any) {
	at := reflect.ValueOf(pointer).Elem()
	for name := range strings.SplitSeq(path, ".") {
		if at.Kind() == reflect.Slice {
			if at.Len() == 0 {
				at.Set(reflect.Append(at, reflect.Zero(at.Type().Elem())))
			}
			at = at.Index(0)
		}
		if at.Kind() == reflect.Pointer {
			if at.IsNil() {
				at.Set(reflect.New(at.Type().Elem()))
			}
			at = at.Elem()
		}
		at = at.FieldByName(name)
	}
	if value == nil {
		at.Set(reflect.New(at.Type().Elem()))
		return
	}
	at.Set(reflect.ValueOf(value).Convert(at.Type()))
}

// Start implements cadvisor.Interface.
func (h *hardware[_, _, _, _, _, _]) Start() error { return nil }

// MachineInfo implements cadvisor.Interface.
func (h *hardware[Machine, _, _, _, _, _]) MachineInfo() (*Machine, error) {
	out := new(Machine)
	for _, field := range []string{"NumCores", "NumPhysicalCores"} {
		set(out, field, h.cpus)
	}
	for _, field := range []string{"MachineID", "SystemUUID", "BootID"} {
		set(out, field, h.node)
	}
	set(out, "NumSockets", 1)
	set(out, "MemoryCapacity", h.memory)
	return out, nil
}

// VersionInfo implements cadvisor.Interface.
func (h *hardware[_, Version, _, _, _, _]) VersionInfo() (*Version, error) {
	out := new(Version)
	set(out, "KernelVersion", kernel)
	set(out, "ContainerOsVersion", system)
	return out, nil
}

// fileSystem is the only one of the node. Who writes when it is full gets an error.
func (h *hardware[_, _, FileSystem, _, _, _]) fileSystem() (out FileSystem) {
	inodes, used := h.disk/inodeSize, min(h.disk, h.runtime.DiskUsed())
	set(&out, "Timestamp", time.Now())
	set(&out, "Device", "/dev/vda")
	set(&out, "Mountpoint", "/")
	set(&out, "Capacity", h.disk)
	set(&out, "Available", h.disk-used)
	set(&out, "Usage", used)
	set(&out, "Inodes", &inodes)
	set(&out, "InodesFree", &inodes)
	return out
}

// ImagesFsInfo implements cadvisor.Interface.
func (h *hardware[_, _, FileSystem, _, _, _]) ImagesFsInfo(context.Context) (FileSystem, error) {
	return h.fileSystem(), nil
}

// RootFsInfo implements cadvisor.Interface.
func (h *hardware[_, _, FileSystem, _, _, _]) RootFsInfo() (FileSystem, error) {
	return h.fileSystem(), nil
}

// ContainerFsInfo implements cadvisor.Interface.
func (h *hardware[_, _, FileSystem, _, _, _]) ContainerFsInfo(context.Context) (FileSystem, error) {
	return h.fileSystem(), nil
}

// GetDirFsInfo implements cadvisor.Interface.
func (h *hardware[_, _, FileSystem, _, _, _]) GetDirFsInfo(string) (FileSystem, error) {
	return h.fileSystem(), nil
}

// ContainerInfoV2 implements cadvisor.Interface: the cgroup at the root, whose memory is that of the node, the one of all Pods, and with
// the first one those of containers. Programs alone use memory.
func (h *hardware[_, _, _, Options, Info, _]) ContainerInfoV2(name string, o Options) (map[string]Info, error) {
	if name != "/" && name != podCgroup {
		return map[string]Info{}, nil
	}
	used := min(h.memory, h.runtime.MemoryUsed()) // a kernel has no more to give
	out := map[string]Info{name: h.cgroupInfo(used, h.memory)}
	if name != "/" || !reflect.ValueOf(o).FieldByName("Recursive").Bool() {
		return out, nil
	}
	for _, c := range h.runtime.Cgroups() {
		info := h.cgroupInfo(c.Memory, math.MaxUint64)
		set(&info, "Spec.Labels", c.Labels)
		set(&info, "Stats.Processes.ProcessCount", c.Processes)
		out[path.Join(podCgroup, "pod"+c.Pod, c.ID)] = info
	}
	return out, nil
}

// cgroupInfo is what cAdvisor reports of a cgroup.
func (h *hardware[_, _, _, _, Info, _]) cgroupInfo(used, limit uint64) (out Info) {
	set(&out, "Spec.HasMemory", true)
	set(&out, "Spec.HasCpu", true)
	set(&out, "Spec.Memory.Limit", limit)
	set(&out, "Stats.Timestamp", time.Now())
	set(&out, "Stats.Cpu", nil)
	set(&out, "Stats.CpuInst", nil)
	for _, field := range []string{"Usage", "WorkingSet", "RSS"} {
		set(&out, "Stats.Memory."+field, used)
	}
	return out
}

// GetRequestedContainersInfo implements cadvisor.Interface.
func (h *hardware[_, _, _, Options, _, Requested]) GetRequestedContainersInfo(string, Options) (map[string]*Requested, error) {
	return map[string]*Requested{}, nil
}

// GetCapacity implements cm.ContainerManager.
func (c withoutCgroups) GetCapacity(bool) corev1.ResourceList { return c.capacity() }
