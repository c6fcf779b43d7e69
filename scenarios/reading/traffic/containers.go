package traffic

import (
	"net"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// portOf is the port of an address.
func portOf(address string) int32 {
	_, text, _ := net.SplitHostPort(address)
	port, _ := strconv.ParseInt(text, 10, 32)
	return int32(port)
}

// exits are when the containers of each Pod ended for the last time, by its uid, as the runtimes of upstream's kubelets have recorded.
func (t *Traffic) exits() map[string]map[string]time.Duration {
	exits := map[string]map[string]time.Duration{}
	for record := range t.rec.Of(trace.KindContainer) {
		of := record.Container
		if exits[of.UID] == nil {
			exits[of.UID] = map[string]time.Duration{}
		}
		switch {
		case of.Started:
			delete(exits[of.UID], of.Container)
		case of.Exit != nil:
			exits[of.UID][of.Container] = of.Exit.Ended
		}
	}
	return exits
}

// endOf is when the last container ends that can listen at a port: one that declares it, or no port at all, as in sim/cluster/cri. It is
// nil if one of them does not end, or if no kubelet has recorded it.
func endOf(pod *corev1.Pod, port int32, exits map[string]time.Duration) *time.Duration {
	var last *time.Duration
	for _, c := range pod.Spec.Containers {
		declares := slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.ContainerPort == port })
		if len(c.Ports) > 0 && !declares {
			continue
		}
		ended, has := exits[c.Name]
		if !has {
			return nil
		}
		if last == nil || ended > *last {
			last = &ended
		}
	}
	return last
}
