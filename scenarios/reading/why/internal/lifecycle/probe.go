package lifecycle

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// Probe is a probe that a container has not passed.
type Probe struct {
	Container, Type string
	Spec            *corev1.Probe
	// Result is the last result since the container started, and At its time; nil before the first.
	Result *trace.Probe
	At     time.Time
	// Next is when the next one is due, zero if it is not known; see Due.
	Next time.Time
	// Delayed means that it begins when initialDelaySeconds have passed. Decided means that the kubelet knows the answer, which the status
	// of the Pod does not say yet.
	Delayed, Decided bool
}

// probing is the probe that a running container has not passed: the startup probe first, because the others wait for it. It is nil if the
// container is ready.
func (p *Pod) probing(c *corev1.Container, status *corev1.ContainerStatus) Reason {
	switch {
	case c.StartupProbe != nil && (status.Started == nil || !*status.Started):
		return p.probe(c, status, trace.ProbeStartup, c.StartupProbe)
	case c.ReadinessProbe != nil && !status.Ready:
		return p.probe(c, status, trace.ProbeReadiness, c.ReadinessProbe)
	}
	return nil
}

func (p *Pod) probe(c *corev1.Container, status *corev1.ContainerStatus, kind string, spec *corev1.Probe) *Probe {
	out := &Probe{Container: c.Name, Type: kind, Spec: spec}
	_, facts := p.lately(c.Name)
	f := last(facts, func(c *trace.Container) bool { return c.Probe != nil && c.Probe.Type == kind })
	period := time.Duration(spec.PeriodSeconds) * time.Second
	switch {
	case f != nil:
		out.Result, out.At = f.Probe, f.At
		out.Decided = f.Probe.Run >= f.Probe.Threshold && f.Probe.Threshold > 0 && (f.Probe.Succeeded || kind == trace.ProbeStartup)
		// A kubelet that started again has drawn another time.
		if p.counts(f.At) && !out.Decided {
			out.Next = p.Zero.Add(f.Probe.Sent + period)
		}
	case !p.Stopped && spec.InitialDelaySeconds > 0:
		// The kubelet, too, counts from the whole second of the status.
		out.Next, out.Delayed = status.State.Running.StartedAt.Add(time.Duration(spec.InitialDelaySeconds)*time.Second), true
	}
	return out
}

// Due implements Reason. Each time that a kubelet looks at a Pod, it also runs the readiness probes that have not succeeded
// (UpdatePodStatus in pkg/kubelet/prober/prober_manager.go), and then counts the period from there.
func (p *Probe) Due() *Due {
	if p.Next.IsZero() {
		return nil
	}
	return &Due{
		Action: Probes, Container: p.Container, Probe: p.Type, At: p.Next,
		Latest: !p.Delayed && p.Type == trace.ProbeReadiness, Earliest: p.Delayed,
	}
}

// Text implements Reason.
func (p *Probe) Text(date func(time.Time) string) string {
	text := fmt.Sprintf("the %s probe %s of container %s ", p.Type, Handler(p.Spec.ProbeHandler), p.Container)
	switch r := p.Result; {
	case p.Delayed:
		return text + fmt.Sprintf("begins at %s at the earliest (initialDelaySeconds is %d)", date(p.Next), p.Spec.InitialDelaySeconds)
	case r == nil:
		return text + "has not succeeded since the container started"
	default:
		text += answer(r, p.Spec) + " at " + date(p.At) + counted(r)
	}
	switch {
	case p.Decided:
		return text + ", which the status of the Pod does not say yet"
	case p.Next.IsZero():
		return text
	}
	text += "; next at " + date(p.Next)
	if p.Due().Latest {
		text += " at the latest"
	}
	return text
}

// counted is how often a result came in a row.
func counted(r *trace.Probe) string {
	result, threshold := "failure", "failureThreshold"
	if r.Succeeded {
		result, threshold = "success", "successThreshold"
	}
	switch {
	case r.Run == 0:
		return ""
	case r.Run <= r.Threshold:
		return fmt.Sprintf(", %s %d of %d", result, r.Run, r.Threshold)
	}
	return fmt.Sprintf(", %s %d in a row (%s is %d)", result, r.Run, threshold, r.Threshold)
}

// answer is what came of a probe.
func answer(r *trace.Probe, spec *corev1.Probe) string {
	switch {
	case r.Succeeded:
		return "succeeded"
	case r.Code != 0 && spec.Exec != nil:
		return fmt.Sprintf("exited with code %d", r.Code)
	case r.Code != 0:
		return fmt.Sprintf("answered %d", r.Code)
	case r.TimedOut:
		return fmt.Sprintf("did not answer in %d s", spec.TimeoutSeconds)
	case strings.HasSuffix(r.Output, "connection refused"):
		return "was refused the connection"
	}
	return "failed (" + cmp.Or(strings.Join(strings.Fields(r.Output), " "), "without output") + ")"
}

// Handler is what a probe or a hook does: GET :8080/ready.
func Handler(h corev1.ProbeHandler) string {
	switch {
	case h.HTTPGet != nil:
		scheme := ""
		if h.HTTPGet.Scheme == corev1.URISchemeHTTPS {
			scheme = "https://"
		}
		return "GET " + scheme + h.HTTPGet.Host + ":" + h.HTTPGet.Port.String() + h.HTTPGet.Path
	case h.TCPSocket != nil:
		return "TCP " + h.TCPSocket.Host + ":" + h.TCPSocket.Port.String()
	case h.GRPC != nil:
		return fmt.Sprintf("gRPC :%d", h.GRPC.Port)
	case h.Exec != nil:
		return "exec " + strings.Join(h.Exec.Command, " ")
	}
	return ""
}
