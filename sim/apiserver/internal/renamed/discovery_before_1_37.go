//go:build kubernetes_before_1_37

package renamed

import "k8s.io/client-go/discovery"

// Discovery is what a clientset does discovery with.
type Discovery = discovery.DiscoveryInterface
