package cri

import (
	"fmt"
	"path"
	"strconv"
)

// The files of the cgroup of a container, in its own view of /sys/fs/cgroup, with version 2 of cgroups. Limits are what the kubelet has
// asked for.

// cgroupFolder is where they are in a container.
const cgroupFolder = "/sys/fs/cgroup"

// kernel returns the text of a file of the kernel.
func (r *Runtime) kernel(c *container, name string) (text string, found bool) {
	if path.Dir(name) != cgroupFolder {
		return "", false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	resources := c.config.GetLinux().GetResources()
	switch path.Base(name) {
	case "cpu.max":
		quota, period := "max", max(resources.GetCpuPeriod(), 0)
		if n := resources.GetCpuQuota(); n > 0 {
			quota = strconv.FormatInt(n, 10)
		}
		if period == 0 {
			period = 100_000 // microseconds, the kernel's default
		}
		return fmt.Sprintf("%s %d\n", quota, period), true
	case "cpu.weight":
		return fmt.Sprintf("%d\n", weightOf(uint64(resources.GetCpuShares()))), true
	case "memory.max":
		if n := resources.GetMemoryLimitInBytes(); n > 0 {
			return fmt.Sprintf("%d\n", n), true
		}
		return "max\n", true
	case "memory.min", "memory.low":
		return resources.GetUnified()[path.Base(name)] + "\n", true
	case "memory.current":
		return fmt.Sprintf("%d\n", memoryOfProcess), true
	case "cgroup.controllers":
		return "cpu memory pids\n", true
	}
	return "", false
}
