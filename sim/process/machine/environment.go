package machine

import (
	"os"
	"strings"
)

// kubernetesPrefix is what the variables begin with that switch parts of Kubernetes' libraries, such as
// KUBE_CACHE_MUTATION_DETECTOR, which makes every informer copy and compare its objects, and KUBE_FEATURE_NAME.
const kubernetesPrefix = "KUBE_"

// goDebug switches the behavior of Go's standard library, such as how certificates name their keys. What Go reads at its
// start, such as gctrace, keeps its effect; the library reads the rest again when the variable changes.
const goDebug = "GODEBUG"

// init removes these variables. The libraries read them when their packages are initialized, which is after this one: Go
// initializes packages in the order of their paths as soon as all that they import is ready. So this package must import
// nothing that those do not import, too; zone data is linked in by package sim.
func init() {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, kubernetesPrefix) || name == goDebug {
			_ = os.Unsetenv(name)
		}
	}
}
