// Package machine lists all that a run can see of the machine on which it runs, and holds constant what upstream's code
// would read of it. One scenario and one seed give one trace on every machine, so each of these is a constant, a value
// of the scenario, or out of reach:
//
//	time zone          UTC, or spec.timeZone of the scenario: Hold sets the local zone while a simulation exists
//	zone data          time/tzdata, which is linked into the program, where the machine has none; ZONEINFO is unset.
//	                   The names that spec.timeZone accepts are a list in the program (scenarios/language/notation). The files of
//	                   the machine, where they exist, come first (time.LoadLocation), and may be of another release
//	clock              virtual: the bubble of sim/engine
//	random numbers     drawn from the seed: sim, controllers (jitter, keys and signatures, uids)
//	GOMAXPROCS         one processor while a simulation exists; in the stock build, unless the environment sets it:
//	                   sim/toolchain/exact
//	a kubelet's node   upstream's kubelets see the files, addresses and connections of their nodes, and no others:
//	                   controllers/kubelet, sim/toolchain/exact.Machine
//	processor          the exact build hashes, rounds and orders alike on every architecture: sim/toolchain/exact
//	TMPDIR, umask      no file is written, except those of upstream's kubelets, in a temporary folder that no trace
//	                   names. The certificate authority of the signers, which upstream reads from files, is read from pipes
//	                   (controllers). Where the system has no /dev/fd, a temporary folder holds it
//	working directory  only to find the scenario that the command line names
//	home, kubeconfig   never read: clients have a transport in memory
//	locale             never read: Go formats numbers and text without one
//	environment        KUBE_ variables, which switch parts of Kubernetes' libraries, and GODEBUG, which switches parts
//	                   of Go's, are removed when the program starts. GOGC and GOMEMLIMIT change no order
//	host name          never read: replicas of kube-controller-manager have names of their own
//	folders of plugins a prober for FlexVolumes looks for one without a name; what it logs is left out: sim/observe/syncs
//	network            no connection is made: the API server is in the same process
//
// docs/explanation/determinism.md says the same to users. The tests of scenarios/explore/child run shipped scenarios in
// surroundings that differ in all of these.
package machine
