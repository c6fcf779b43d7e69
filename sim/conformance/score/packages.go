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

// Packages are those that count for the score: packages of Kubernetes' test/integration, and those that
// apiextensions-apiserver has of its own. What is left out of test/integration has no test, is a benchmark, or tests
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
	{"apiextensions-apiserver", false}, {"apiextensions-apiserver/conversion", false},
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
