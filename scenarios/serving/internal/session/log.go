package session

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// line is something in the life of a Pod.
type line struct {
	at   time.Time
	text string
}

// followed is how often, in real time, the log of a Pod is looked at for a client that follows it.
const followed = 200 * time.Millisecond

// log answers kubectl logs: no container runs, so the log tells what the stand-in for the kubelet did with the Pod. With follow,
// it ends when the Pod does.
func (s *Session) log(ctx context.Context, w http.ResponseWriter, r *http.Request, namespace, name string) {
	query := r.URL.Query()
	pod, now, err := s.pod(namespace, name)
	container := query.Get("container")
	switch {
	case err != nil:
		refuse(w, ended(err))
		return
	case pod == nil:
		refuse(w, apierrors.NewNotFound(corev1.Resource("pods"), name))
		return
	case container != "" && !slices.ContainsFunc(containers(pod), func(c corev1.Container) bool { return c.Name == container }):
		refuse(w, apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", container, name)))
		return
	}
	lines := life(pod)
	if query.Get("previous") == "true" {
		if lines = previous(pod, container); lines == nil {
			container = cmp.Or(container, pod.Spec.Containers[0].Name)
			refuse(w, apierrors.NewBadRequest(fmt.Sprintf("previous terminated container %q in pod %q not found", container, name)))
			return
		}
	}
	lines = since(lines, now, query.Get("sinceSeconds"), query.Get("sinceTime"))
	if tail, err := strconv.Atoi(query.Get("tailLines")); err == nil && tail >= 0 && tail < len(lines) {
		lines = lines[len(lines)-tail:]
	}
	w.Header().Set("Content-Type", "text/plain")
	write := func(lines []line) {
		for _, l := range lines {
			if query.Get("timestamps") == "true" {
				_, _ = io.WriteString(w, l.at.UTC().Format(time.RFC3339Nano)+" ")
			}
			_, _ = io.WriteString(w, l.text+"\n")
		}
		_ = http.NewResponseController(w).Flush()
	}
	write(lines)
	if query.Get("follow") == "true" && query.Get("previous") != "true" {
		s.follow(ctx, namespace, pod, write)
	}
}

// follow writes what is new in the life of a Pod until it ends, or the client or the session do.
func (s *Session) follow(ctx context.Context, namespace string, pod *corev1.Pod, write func([]line)) {
	ticker := time.NewTicker(followed)
	defer ticker.Stop()
	for written := life(pod); pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed; {
		select {
		case <-ctx.Done():
			return
		case <-s.Door.Ended():
			return
		case <-ticker.C:
		}
		next, _, err := s.pod(namespace, pod.Name)
		if err != nil || next == nil || next.UID != pod.UID {
			return
		}
		fresh := slices.DeleteFunc(life(next), func(l line) bool { return slices.Contains(written, l) })
		if pod = next; len(fresh) > 0 {
			write(fresh)
			written = append(written, fresh...)
		}
	}
}

// pod is a Pod as it is now, nil if there is none, and the date of the simulation.
func (s *Session) pod(namespace, name string) (pod *corev1.Pod, now time.Time, err error) {
	err = s.Door.Do(func() {
		now = s.run.Simulation().Engine.Date()
		if found, ok := s.run.Simulation().State.Get(corev1.Resource("pods"), namespace, name); ok {
			pod = found.(*corev1.Pod)
		}
	})
	return pod, now, err
}

// since leaves out what happened before a time, which is a number of seconds ago or a date; both may be empty.
func since(lines []line, now time.Time, seconds, date string) []line {
	from, err := time.Parse(time.RFC3339, date)
	if ago, wrong := strconv.Atoi(seconds); wrong == nil {
		from, err = now.Add(-time.Duration(ago)*time.Second), nil
	}
	if err != nil {
		return lines
	}
	return slices.DeleteFunc(lines, func(l line) bool { return l.at.Before(from) })
}

func containers(pod *corev1.Pod) []corev1.Container {
	return slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers)
}

func statuses(pod *corev1.Pod) []corev1.ContainerStatus {
	return slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses)
}

// life is what happened to a Pod, oldest first, as far as its status says.
func life(pod *corev1.Pod) []line {
	var images []string
	for _, c := range pod.Spec.Containers {
		images = append(images, c.Name+"="+c.Image)
	}
	lines := []line{{pod.CreationTimestamp.Time, "kubestep: no container runs; this is what the stand-in for the kubelet did with " +
		strings.Join(images, " ")}}
	add := func(at metav1.Time, format string, args ...any) {
		lines = append(lines, line{at.Time, "kubestep: " + fmt.Sprintf(format, args...)})
	}
	for _, c := range pod.Status.Conditions {
		add(c.LastTransitionTime, "%s %s%s", c.Type, c.Status, reason(c.Reason, c.Message))
	}
	for _, c := range statuses(pod) {
		switch {
		case c.State.Running != nil:
			add(c.State.Running.StartedAt, "container %s started (restarts: %d)", c.Name, c.RestartCount)
		case c.State.Terminated != nil:
			lines = append(lines, exited(c.Name, c.State.Terminated))
		case c.State.Waiting != nil:
			add(pod.CreationTimestamp, "container %s waits%s", c.Name, reason(c.State.Waiting.Reason, c.State.Waiting.Message))
		}
	}
	if pod.DeletionTimestamp != nil {
		add(*pod.DeletionTimestamp, "deleted, and to end by now")
	}
	slices.SortStableFunc(lines[1:], func(a, b line) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
	return lines
}

// previous is how a container ended before it was restarted, nil if it was not.
func previous(pod *corev1.Pod, container string) []line {
	for _, c := range statuses(pod) {
		if last := c.LastTerminationState.Terminated; last != nil && (container == "" || container == c.Name) {
			text := fmt.Sprintf("kubestep: container %s started (restarts: %d)", c.Name, max(0, c.RestartCount-1))
			return []line{{last.StartedAt.Time, text}, exited(c.Name, last)}
		}
	}
	return nil
}

// exited is the end of a container.
func exited(name string, state *corev1.ContainerStateTerminated) line {
	return line{state.FinishedAt.Time, fmt.Sprintf("kubestep: container %s ended with exit code %d%s", name, state.ExitCode,
		reason(state.Reason, state.Message))}
}

// reason is a reason and its message in parentheses.
func reason(reason, message string) string {
	text := strings.Trim(reason+": "+message, ": ")
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}
