package score

import (
	"cmp"
	"strings"
)

// Package is a package of upstream's integration tests.
type Package struct {
	Name string
	// Controllers means that its tests are about controllers, whom they bring along.
	Controllers bool
}

// LeftOut are packages of Kubernetes' test/integration that do not run here.
type LeftOut struct {
	// Why is the first thing that the tests need and do not find.
	Why string
	// Packages are the packages, by name, with the number of their tests.
	Packages map[string]int
}

// Packages are those that run: packages of Kubernetes' test/integration, and those that apiextensions-apiserver has of its own. What does
// not run is in Left.
var Packages = []Package{
	{"deployment", true}, {"replicaset", true}, {"statefulset", true}, {"daemonset", true}, {"job", true},
	{"cronjob", true}, {"replicationcontroller", true}, {"endpoints", true}, {"endpointslice", true}, {"evictions", true},
	{"garbagecollector", true}, {"disruption", true}, {"namespace", true}, {"podgc", true}, {"node", true},
	{"ttlcontroller", true}, {"quota", true}, {"volume", true},
	{"scale", false}, {"storageclasses", false}, {"secrets", false},
	{"defaulttolerationseconds", false}, {"service", false}, {"events", false}, {"pods", false}, {"client", false},
	{"apiserver", false}, {"apiserver/apply", false}, {"apimachinery", false}, {"apimachinery/apply", false},
	{"certificates", false}, {"dryrun", false}, {"serviceaccount", false}, {"network", false}, {"servicecidr", false},
	{"dualstack", false}, {"apiserver/openapi", false}, {"apiserver/discovery", false},
	{"scheduler", false}, {"scheduler/batch", false}, {"scheduler/bind", false}, {"scheduler/eventhandler", false},
	{"scheduler/extender", false}, {"scheduler/filters", false}, {"scheduler/nominated_node_name", false},
	{"scheduler/plugins", false}, {"scheduler/podgroup", false},
	{"scheduler/podgroup/topology_aware_scheduling", false}, {"scheduler/preemption", false},
	{"scheduler/preemption/misc", false}, {"scheduler/preemption/nominatednodename", false},
	{"scheduler/queueing", false},
	{"apiserver/apidefinitions", false}, {"podautoscaler", true}, {"scheduler/podgroup/queueing", false},
	{"scheduler/preemption/podgroup", false}, {"scheduler/prequeueinghint", false},
	{"scheduler/scoring", false}, {"scheduler/taint", false}, {"volumescheduling", true}, {"staleness", false},
	{"pvc", false}, {"openshift", false}, {"storageversion", false}, {"storageversionmigrator", true},
	{"clustertrustbundles", true}, {"podcertificaterequests", false}, {"auth", false}, {"apiserver/cel", false},

	{"apiserver/cel/authorizerselector/selectorenabled", false}, {"controlplane", false}, {"client/metrics", false},
	{"apiextensions-apiserver", false}, {"apiextensions-apiserver/conversion", false},
	{"apiserver/admissionwebhook", false}, {"apiserver/anonymous", false}, {"apiserver/flowcontrol", false}, {"controlplane/audit", false},
	{"etcd", false}, {"metrics", false}, {"metrics/nativehistograms", false},
}

// Left are the packages that do not run, with the reasons.
var Left = []LeftOut{
	{"They connect to a server of their own over the network: a provider of tokens, a proxy, " +
		"a collector of traces, another API server, an aggregated API server.", map[string]int{
		"apiserver/oidc": 8, "apiserver/httpproxy": 1, "apiserver/egressselector": 1, "apiserver/peerproxy": 3,
		"apiserver/tracing": 4, "examples": 5,
	}},
	{"They test the ports of a component, with TLS and the files of its certificates.", map[string]int{
		"apiserver/certreload": 5, "serving": 4, "tls": 2, "scheduler/serving": 2, "controllermanager": 1,
	}},
	{"The controllers inside of kube-apiserver that elect leaders among LeaseCandidates are missing.", map[string]int{
		"apiserver/coordinatedleaderelection": 8,
	}},
	{"They read logs from a kubelet, or connect to a port of a Pod through one.", map[string]int{
		"apiserver/podlogs": 2, "apiserver/portforward": 1,
	}},
	{"They test parts of the kubelet.", map[string]int{
		"kubelet": 2,
	}},
	{"They read or write what etcd stores: its encoding, its encryption.", map[string]int{
		"controlplane/transformation": 22,
	}},
	{"They read what a component writes to its log.", map[string]int{
		"logs/benchmark": 1, "logs/functional/json": 1,
	}},
	{"They start a cloud-controller-manager.", map[string]int{
		"cloudprovider": 2,
	}},
	{"They start drivers for dynamic resource allocation, which serve gRPC on each node.", map[string]int{
		"dra": 1, "dra/all": 1, "dra/api": 1, "dra/default": 1, "dra/ga": 1,
	}},
	{"They are benchmarks of the scheduler.", map[string]int{
		"scheduler_perf": 7, "scheduler_perf/affinity": 1, "scheduler_perf/dra": 1,
		"scheduler_perf/dra/consumablecapacity": 1, "scheduler_perf/dra/devicetaints": 1,
		"scheduler_perf/dra/extendedresource": 1, "scheduler_perf/dra/extendedresource/scoring": 1,
		"scheduler_perf/dra/partitionabledevices": 1, "scheduler_perf/dra/prioritizedlist": 1,
		"scheduler_perf/event_handling": 1, "scheduler_perf/misc": 1, "scheduler_perf/nodedeclaredfeatures": 1,
		"scheduler_perf/podgroup/basicscheduling":   1,
		"scheduler_perf/podgroup/tas":               1,
		"scheduler_perf/batching":                   1,
		"scheduler_perf/dra/compatibilitygroups":    1,
		"scheduler_perf/workload_preemption":        1,
		"scheduler_perf/starvation":                 1,
		"scheduler_perf/dra/listattributes":         1,
		"scheduler_perf/dra/workloadresourceclaims": 1,
		"scheduler_perf/default_preemption":         1,
		"scheduler_perf/podgroup/gangscheduling":    1,
		"scheduler_perf/topology_spreading":         1, "scheduler_perf/volumes": 1,
	}},
}

// Names lists the names of Packages.
func Names() []string {
	var out []string
	for _, p := range Packages {
		out = append(out, p.Name)
	}
	return out
}

// Nearest is the name of the package that was probably meant: the one that has most of its beginning and its end in
// common with what was written. Without such a name, it is all of them.
func Nearest(name string) string {
	best, most := "", len(name)/2
	for _, known := range Names() {
		if common := overlap(name, known); common > most {
			best, most = known, common
		}
	}
	return cmp.Or(best, "one of "+strings.Join(Names(), ", "))
}

// overlap is how many bytes two names have in common at the beginning and, behind that, at the end.
func overlap(a, b string) int {
	size, n := min(len(a), len(b)), 0
	for n < size && a[n] == b[n] {
		n++
	}
	end := 0
	for n+end < size && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return n + end
}
