//go:build linux && !kubernetes_before_1_37

package kubeletapi

import cadvisor "github.com/google/cadvisor/lib/model"

// What cAdvisor reports of a machine and of its cgroups. RequestedInfo is what nobody asks for here.
type (
	MachineInfo    = cadvisor.MachineInfo
	VersionInfo    = cadvisor.VersionInfo
	FsInfo         = cadvisor.FsInfo
	RequestOptions = cadvisor.RequestOptions
	ContainerInfo  = cadvisor.ContainerInfo
	ContainerSpec  = cadvisor.ContainerSpec
	MemorySpec     = cadvisor.MemorySpec
	ContainerStats = cadvisor.ContainerStats
	CpuStats       = cadvisor.CpuStats
	CpuInstStats   = cadvisor.CpuInstStats
	MemoryStats    = cadvisor.MemoryStats
	ProcessStats   = cadvisor.ProcessStats
	RequestedInfo  = cadvisor.ContainerInfo
)
