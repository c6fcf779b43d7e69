package cri

import "github.com/opencontainers/cgroups"

// weightOf is the weight of a cgroup with CPU shares.
func weightOf(shares uint64) uint64 { return cgroups.ConvertCPUSharesToCgroupV2Value(shares) }
