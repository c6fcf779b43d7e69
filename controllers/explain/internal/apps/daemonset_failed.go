package apps

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// The back-off before the controller deletes a failed Pod on a node: failedPodsBackoff in cmd/kube-controller-manager/app/apps.go. It is
// forgotten after twice the longest one.
const (
	failedFirst   = time.Second
	failedLongest = 15 * time.Minute
)

// replaceFailed deletes one of the failed Pods of a node, unless the back-off of the node has not ended. The first deletion begins the
// next back-off, so that the others have to wait.
func (d *daemons) replaceFailed(node string, failed []string) {
	if len(failed) == 0 {
		return
	}
	if last, delay := d.backOff(node); d.Start.At-last < delay {
		d.waits = append(d.waits, fmt.Sprintf("%s on %s, where it deletes no other one before %s, %s after the last one",
			trace.Count(len(failed), "failed Pod"), node, trace.Seconds(last+delay), delay))
		return
	}
	d.deletes, d.spared = append(d.deletes, failed...), d.spared+len(failed)-1
}

// backOff is when the controller last deleted a failed Pod of a node, and how long it waits since then; 0 if it did not.
func (d *daemons) backOff(node string) (last, delay time.Duration) {
	var times []time.Duration
	for earlier := range d.Earlier() {
		if deletesFailed(earlier, node) {
			times = append(times, earlier.Start.At)
		}
	}
	for n := len(times) - 1; n >= 0; n-- {
		if delay == 0 || times[n]-last > 2*failedLongest {
			delay = failedFirst
		} else {
			delay = min(2*delay, failedLongest)
		}
		last = times[n]
	}
	if d.Start.At-last > 2*failedLongest {
		delay = 0
	}
	return last, delay
}

// deletesFailed reports whether a sync asked to delete a failed Pod of a node.
func deletesFailed(s observed.Sync, node string) bool {
	for _, r := range s.Requests {
		if r.Request.Verb != "delete" || r.Request.Resource != pods {
			continue
		}
		p := &corev1.Pod{}
		if ok, err := s.Get(pods, r.Request.Name, p); !ok || err != nil || p.Status.Phase != corev1.PodFailed {
			continue
		}
		if of, err := daemonutil.GetTargetNodeName(p); err == nil && of == node {
			return true
		}
	}
	return false
}
