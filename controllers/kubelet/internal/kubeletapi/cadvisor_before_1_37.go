//go:build linux && kubernetes_before_1_37

package kubeletapi

import (
	v1 "github.com/google/cadvisor/info/v1"
	v2 "github.com/google/cadvisor/info/v2"
)

// What cAdvisor reports of a machine and of its cgroups. RequestedInfo is what nobody asks for here.
type (
	MachineInfo    = v1.MachineInfo
	VersionInfo    = v1.VersionInfo
	FsInfo         = v2.FsInfo
	RequestOptions = v2.RequestOptions
	ContainerInfo  = v2.ContainerInfo
	ContainerSpec  = v2.ContainerSpec
	MemorySpec     = v2.MemorySpec
	ContainerStats = v2.ContainerStats
	CpuStats       = v1.CpuStats
	CpuInstStats   = v2.CpuInstStats
	MemoryStats    = v1.MemoryStats
	ProcessStats   = v1.ProcessStats
	RequestedInfo  = v1.ContainerInfo
)
