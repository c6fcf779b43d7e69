package auditlog

import (
	"encoding/json"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"github.com/kubestep/kubestep/scenarios/language/snapshot"
)

// kubelets is what the kubelets reported about containers: a run must know which images never become ready.
type kubelets struct {
	// containers are by namespace, Pod and name.
	containers map[string]*container
	// ready are the images of which a container was ready, and ran is how long the first Pod that completed ran.
	ready map[string]bool
	ran   time.Duration
	// last is the time of the last Event of the log.
	last time.Time
}

// container is the last that a kubelet reported.
type container struct {
	// image is as the Pod has it. Later on, kubelets report the name that the runtime gives to the image.
	image string
	// waits means that the container cannot start or crashes, and since is when it started to run without being ready.
	waits bool
	since time.Time
}

// probation is how long a container may run without being ready before its readiness probe is taken as failing.
const probation = time.Minute

// add reads the status of a Pod in a request of a kubelet, and of nobody else.
func (k *kubelets) add(e *auditv1.Event) {
	if e.StageTimestamp.After(k.last) {
		k.last = e.StageTimestamp.Time
	}
	ref := e.ObjectRef
	if ref == nil || ref.Resource != "pods" || ref.Subresource != "status" || e.Stage != auditv1.StageResponseComplete ||
		e.RequestObject == nil || !strings.HasPrefix(e.User.Username, "system:node:") {
		return
	}
	var pod struct {
		Status struct {
			Phase             corev1.PodPhase          `json:"phase"`
			ContainerStatuses []corev1.ContainerStatus `json:"containerStatuses"`
		} `json:"status"`
	}
	if json.Unmarshal(e.RequestObject.Raw, &pod) != nil {
		return
	}
	for _, status := range pod.Status.ContainerStatuses {
		k.report(ref.Namespace+"/"+ref.Name+"/"+status.Name, status, e.StageTimestamp.Time)
		if end := status.State.Terminated; pod.Status.Phase == corev1.PodSucceeded && end != nil && k.ran == 0 {
			k.ran = end.FinishedAt.Sub(end.StartedAt.Time)
		}
	}
}

func (k *kubelets) report(key string, status corev1.ContainerStatus, at time.Time) {
	if k.containers == nil {
		k.containers, k.ready = map[string]*container{}, map[string]bool{}
	}
	c := k.containers[key]
	if c == nil {
		c = &container{image: status.Image}
		k.containers[key] = c
	}
	waiting := status.State.Waiting
	c.waits = waiting != nil && waiting.Reason != "ContainerCreating" && waiting.Reason != "PodInitializing"
	switch {
	case status.State.Running == nil || status.Ready:
		c.since = time.Time{}
	case c.since.IsZero():
		c.since = at
	}
	if status.Ready {
		k.ready[c.image] = true
	}
}

// reported is what a scenario needs of it.
func (k *kubelets) reported() snapshot.Kubelets {
	out := snapshot.Kubelets{Images: map[string]bool{}, Ran: k.ran}
	for _, c := range k.containers {
		if c.waits || !c.since.IsZero() && k.last.Sub(c.since) > probation {
			out.Images[c.image] = false
		}
	}
	for image := range k.ready {
		out.Images[image] = true
	}
	return out
}

// images are those of containers in the body of a request.
func images(body any) (found []string) {
	hasField(body, func(name string, value any) bool {
		if image, ok := value.(string); ok && name == "image" && image != "" {
			found = append(found, image)
		}
		return false
	})
	return found
}
