//go:build !linux || kubernetes_before_1_37

package controllers

// RunsKubelets reports whether this program runs upstream's kubelet.
func RunsKubelets() bool { return false }

func (c *Processes) addKubelets(options Options) ([]string, error) {
	if options.Kubelets != nil {
		return nil, ErrNoKubelet
	}
	return nil, nil
}

// kubelets are those of a simulation: none.
type kubelets struct{}

// KubeletServer returns the server of the kubelet of a node, of which there is none.
func (c *Processes) KubeletServer(string) (found KubeletServer, ok bool) {
	return KubeletServer{}, false
}
