//go:build !kubernetes_before_1_35

package verb

import (
	"time"

	"k8s.io/kubectl/pkg/drain"
)

// retryEvictions sets how long kubectl drain waits before it tries an eviction again that a PodDisruptionBudget did not allow.
func retryEvictions(by *drain.Helper) { by.EvictErrorRetryDelay = 5 * time.Second }
