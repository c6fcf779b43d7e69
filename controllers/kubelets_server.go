//go:build linux && !kubernetes_before_1_37

package controllers

import "github.com/kubestep/kubestep/controllers/kubelet"

// runningKubelet is a kubelet, and the process that runs it.
type runningKubelet struct {
	process *process
	kubelet *kubelet.Kubelet
}

// KubeletServer returns the server of the kubelet of a node. ok is false if none listens there.
func (c *Processes) KubeletServer(node string) (found KubeletServer, ok bool) {
	if c.kubelets == nil {
		return KubeletServer{}, false
	}
	c.mu.Lock()
	running := c.kubelets.running[node]
	c.mu.Unlock()
	if running.process == nil || running.process.dead.Load() {
		return KubeletServer{}, false
	}
	return KubeletServer{Answer: running.kubelet.Answer, Runtime: c.kubelets.runtimes[node]}, true
}
