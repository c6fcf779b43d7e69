// Package cri is a container runtime in memory, behind the interfaces with which upstream's kubelet calls one
// (k8s.io/cri-api/pkg/apis). It has what the Container Runtime Interface names: images, Pod sandboxes and containers.
//
// No process runs in a container. What would run there is a Program, as data: when it listens, when it exits and how, what it
// does about SIGTERM, how its memory grows, and what it answers to a probe. So a container that crashes after ten seconds is one
// field of a program, and everything that follows from it is upstream's code: the restart, the back-off, the conditions and Events.
//
// The state of a container is a function of virtual time: nothing runs while nobody looks. A container whose program exits after ten
// seconds has an end from its start on, and whoever lists containers at the eleventh second finds it exited. The calls that take time,
// such as PullImage and StopContainer, sleep in virtual time as the kubelet's goroutine that makes them.
package cri
