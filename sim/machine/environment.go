package machine

import (
	"os"
	"strings"
)

// kubernetesPrefix is what the variables begin with that switch parts of Kubernetes' libraries, such as
// KUBE_CACHE_MUTATION_DETECTOR, which makes every informer copy and compare its objects, and KUBE_FEATURE_NAME.
const kubernetesPrefix = "KUBE_"

// init removes these variables. The libraries read them when their packages are initialized, which is after this one: Go
// initializes packages in the order of their paths as soon as all that they import is ready. So this package must import
// nothing that those do not import, too; zone data is linked in by package sim.
func init() {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, kubernetesPrefix) {
			_ = os.Unsetenv(name)
		}
	}
}
