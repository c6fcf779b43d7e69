package score

// Package is a package of upstream's integration tests.
type Package struct {
	Name string
	// Controllers means that its tests are about controllers, whom they bring along.
	Controllers bool
}

// Packages are those that count for the score. What is left out of test/integration has no test, is a benchmark, or tests
// what kubestep does not simulate at all: kubelets, the scheduler, cloud providers, etcd itself, TLS.
var Packages = []Package{
	{"deployment", true}, {"replicaset", true}, {"statefulset", true}, {"daemonset", true}, {"job", true},
	{"cronjob", true}, {"replicationcontroller", true}, {"endpoints", true}, {"endpointslice", true}, {"evictions", true},
	{"garbagecollector", true}, {"disruption", true}, {"namespace", true}, {"podgc", true}, {"node", true},
	{"ttlcontroller", true}, {"quota", true}, {"volume", true},
	{"scale", false}, {"storageclasses", false}, {"configmap", false}, {"secrets", false},
	{"defaulttolerationseconds", false}, {"service", false}, {"events", false}, {"pods", false}, {"client", false},
	{"apiserver", false}, {"apiserver/apply", false}, {"apimachinery", false}, {"apimachinery/apply", false},
	{"certificates", false}, {"dryrun", false}, {"serviceaccount", false}, {"network", false}, {"servicecidr", false},
	{"dualstack", false}, {"apiserver/openapi", false}, {"apiserver/discovery", false},
}

// Names lists the names of Packages.
func Names() []string {
	var out []string
	for _, p := range Packages {
		out = append(out, p.Name)
	}
	return out
}
