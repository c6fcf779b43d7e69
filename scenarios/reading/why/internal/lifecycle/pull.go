package lifecycle

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// Pull is a pull of an image that runs.
type Pull struct {
	// Pod is the Pod that it is for.
	Pod   trace.Object
	Image string
	Since time.Time
}

// Pulling is an image that is being pulled for a container.
type Pulling struct {
	Pull
	Container, Node string
	// Failed is how many pulls in a row failed before.
	Failed int
}

// Queued is an image whose pull waits for those of other Pods.
type Queued struct {
	Container, Image, Node string
	// For are the pulls that run on the node: as many as its kubelet runs at a time.
	For []Pull
}

// Pulled is an image that could not be pulled.
type Pulled struct {
	Container, Image, Error string
	// Failed is how many pulls failed in a row, the last one at At.
	Failed int
	At     time.Time
	Wait   Wait
	Next   time.Time
}

// pulls are the records about pulls of the image of a container that the kubelet knows, in order.
func (p *Pod) pulls(c *corev1.Container) (facts []Fact) {
	for _, f := range p.Facts {
		if f.Pull != nil && isImage(f.Pull.Image, c.Image) && p.counts(f.At) {
			facts = append(facts, f)
		}
	}
	return facts
}

// isImage reports whether two names are those of one image.
func isImage(a, b string) bool {
	return strings.TrimSuffix(a, ":latest") == strings.TrimSuffix(b, ":latest")
}

// pull is what is known about the pull of the image of a container that does not run; nil for nothing.
func (p *Pod) pull(c *corev1.Container) Reason {
	if r := p.pulling(c); r != nil {
		return r
	}
	return p.failedPull(c)
}

// pulling is the pull of the image of a container that runs, or waits for others; nil without one. A kubelet says that it pulls an image
// before it waits for others (EnsureImageExists in pkg/kubelet/images/image_manager.go), so it has said so once more than there are pulls.
func (p *Pod) pulling(c *corev1.Container) Reason {
	facts := p.pulls(c)
	failed, begun := 0, 0
	for n, f := range facts {
		switch {
		case f.Pull.Begins && n == len(facts)-1:
			return &Pulling{
				Pull{Pod: f.Object, Image: c.Image, Since: f.At}, c.Name, p.Spec.NodeName, failed,
			}
		case f.Pull.Begins:
			continue
		case f.Pull.Error == "":
			failed = 0
		default:
			failed++
		}
		begun++
	}
	if p.Stopped || len(p.Others) == 0 || p.Announced[fmt.Sprintf("Pulling image %q", c.Image)] <= begun {
		return nil
	}
	return &Queued{c.Name, c.Image, p.Spec.NodeName, p.Others}
}

// Due implements Reason: nobody knows how long a pull takes.
func (*Pulling) Due() *Due { return nil }

// Text implements Reason.
func (p *Pulling) Text(date func(time.Time) string) string {
	text := fmt.Sprintf("the pull of image %s of container %s on %s began at %s", p.Image, p.Container, p.Node, date(p.Since))
	if p.Failed > 0 {
		text += ", after " + trace.Count(p.Failed, "pull") + " that failed"
	}
	return text
}

// Due implements Reason.
func (*Queued) Due() *Due { return nil }

// Text implements Reason.
func (q *Queued) Text(date func(time.Time) string) string {
	var others []string
	for _, other := range q.For {
		others = append(others, fmt.Sprintf("that of image %s of Pod %s began at %s", other.Image, other.Pod.Name, date(other.Since)))
	}
	return fmt.Sprintf("the pull of image %s of container %s waits: the kubelet of %s pulls %s at a time, and %s", q.Image, q.Container,
		q.Node, trace.Count(len(q.For), "image"), strings.Join(others, " and "))
}

// failedPull is the back-off of an image (pullImage in pkg/kubelet/images/image_manager.go), by the pulls that failed: the status does not
// have its length. It is nil without records of pulls.
func (p *Pod) failedPull(c *corev1.Container) Reason {
	out := &Pulled{Container: c.Name, Image: c.Image}
	for _, f := range p.pulls(c) {
		if f.Pull.Begins {
			continue
		}
		if f.Pull.Error == "" || f.At.Sub(out.At) > 2*longestPull {
			out.Failed = 0
		}
		if f.Pull.Error != "" {
			out.Failed, out.At, out.Error = out.Failed+1, f.At, f.Pull.Error
		}
	}
	if out.Failed == 0 {
		return nil
	}
	length := firstWait
	for range out.Failed - 1 {
		length = min(2*length, longestPull)
	}
	out.Wait, out.Next = waitOf(length), out.At.Add(length)
	return out
}

// Due implements Reason.
func (p *Pulled) Due() *Due {
	return &Due{Action: Pulls, Image: p.Image, At: p.Next, Earliest: true}
}

// Text implements Reason.
func (p *Pulled) Text(date func(time.Time) string) string {
	times := ""
	if p.Failed > 1 {
		times = fmt.Sprintf(", the last of %d times in a row", p.Failed)
	}
	return fmt.Sprintf("the pull of image %s of container %s failed at %s%s (%s); next at %s at the earliest: %s", p.Image, p.Container,
		date(p.At), times, p.Error, date(p.Next), p.Wait.text())
}
