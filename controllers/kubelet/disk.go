package kubelet

// DiskSize is the size of the disk of a node by default, in bytes.
const DiskSize uint64 = 100 << 30
