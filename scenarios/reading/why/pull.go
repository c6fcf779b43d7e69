package why

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/reading/why/internal/lifecycle"
	"github.com/kubestep/kubestep/sim/trace"
)

// Pull is a pull of an image that the kubelet of a Pod waits for: for the Pod, or for another one if it runs no more at a time.
type Pull struct {
	Pod   trace.Object  `json:"pod"`
	Image string        `json:"image"`
	Since time.Duration `json:"since"`
}

// pulled notes a record about a pull, by its actor.
func (h *History) pulled(record *trace.Record) {
	if record.Container.Pull != nil {
		h.pulls[record.Actor] = append(h.pulls[record.Actor], record.Seq)
	}
}

// announces notes that a kubelet says that it pulls an image.
func (h *History) announces(record *trace.Record) {
	if name, _ := trace.SplitActor(record.Actor); name == controllers.KubeletName && record.Event.Reason == pulling {
		pod := keyOf(record.Event.Regarding)
		h.announcements[pod] = append(h.announcements[pod], record.Seq)
	}
}

// pulling is the reason of the Event (pkg/kubelet/events/event.go).
const pulling = "Pulling"

// pulls are the pulls of other Pods that run on the node of a Pod, in the order in which they began; without those from before a time, at
// which the kubelet started. While a pull has just ended, there are none: which one begins next is open.
func (i *Instant) pulls(p *corev1.Pod, since time.Duration) (running []lifecycle.Pull) {
	actor, ended := controllers.KubeletActor(p.Spec.NodeName), time.Duration(-1)
	for _, seq := range i.History.pulls[actor] {
		if seq > i.seq {
			break
		}
		record := i.rec.Record(seq)
		of, pull := record.Container.Object, record.Container.Pull
		image := strings.TrimSuffix(pull.Image, ":latest") // the tag that a kubelet adds
		if record.Container.UID == string(p.UID) || record.At < since {
			continue
		}
		if pull.Begins {
			running = append(running, lifecycle.Pull{Pod: of, Image: image, Since: i.rec.Epoch().Add(record.At)})
			continue
		}
		ended = record.At
		running = slices.DeleteFunc(running, func(r lifecycle.Pull) bool { return r.Pod == of && r.Image == image })
	}
	if ended == i.at {
		return nil
	}
	return running
}

// announced is how often the kubelet of a Pod has said that it pulls an image, since it started at a time, by the messages.
func (i *Instant) announced(p *corev1.Pod, since time.Duration) map[string]int {
	times := map[string]int{}
	since = max(since, p.CreationTimestamp.Sub(i.rec.Epoch()))
	for _, seq := range i.announcements[p.Namespace+"/"+p.Name] {
		if seq > i.seq {
			break
		}
		if record := i.rec.Record(seq); record.At >= since {
			times[record.Event.Message]++
		}
	}
	return times
}

// waited are the pulls that the kubelet of a Pod waits for.
func (i *Instant) waited(p *corev1.Pod) (pulls []Pull) {
	for _, reason := range i.reasons(p) {
		if of, ok := reason.(*lifecycle.Initial); ok {
			reason = of.Reason
		}
		var of []lifecycle.Pull
		switch r := reason.(type) {
		case *lifecycle.Pulling:
			of = []lifecycle.Pull{r.Pull}
		case *lifecycle.Queued:
			of = r.For
		}
		for _, one := range of {
			pulls = append(pulls, Pull{one.Pod, one.Image, one.Since.Sub(i.rec.Epoch())})
		}
	}
	return pulls
}
