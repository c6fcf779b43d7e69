//go:build kubernetes_before_1_35

package verb

import "k8s.io/kubectl/pkg/drain"

// retryEvictions does nothing: before 1.35, the 5 seconds are not a parameter.
func retryEvictions(*drain.Helper) {}
