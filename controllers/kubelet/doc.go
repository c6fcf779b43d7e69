// Package kubelet runs upstream's kubelet (k8s.io/kubernetes/pkg/kubelet) on the nodes of a simulation: its Pod workers, probes, back-offs,
// admission, eviction and status are upstream's, in virtual time. What a kubelet needs of a machine stands for it:
//
//	container runtime  in memory, with programs as data: sim/cluster/cri
//	cAdvisor           the capacity of the node, from the scenario
//	cgroups            none: upstream's stub of the container manager, with upstream's managers of devices if there are any
//	mounts             a list in memory: upstream's fake, which stays when a kubelet crashes if there are CSI drivers
//	files              a temporary folder for each node, removed at the end. Of the files of the machine, such as /proc/stat,
//	                   there are those of WriteMachine
//	network            connections to the addresses of Pods reach the programs in their containers
//	manifests          of static Pods, in a folder of the node; who changes one tells the kubelet, in place of inotify: Manifests
//	systemd-logind     in memory, with its locks that delay a shutdown: Logind
//	os.Exit            ends the process of the kubelet, and systemd starts it again
//	plugins            CSI drivers, device plugins and drivers for dynamic resource allocation, as data (sim/cluster/plugins), which
//	                   upstream's clients call by gRPC over connections in memory. No socket is a file, so nothing watches for one:
//	                   upstream's manager of plugins knows them from its start (file plugins.go)
//	its own server     listens nowhere: who is outside of the simulation asks it by a function call (Kubelet.Answer)
//
// A kubelet rests while no Pod and no container changes (file rest.go): those of its loops wait that would find nothing to do.
//
// It needs the exact build: a kubelet holds mutexes during requests, and the rows on files, the network and os.Exit are edits of Go's
// packages os and net (sim/toolchain/exact.Machine).
package kubelet
