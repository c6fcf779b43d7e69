package session

import (
	"cmp"
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

// log answers kubectl logs: no container runs, so the log tells what the stand-in for the kubelet did with the Pod.
func (s *Session) log(w http.ResponseWriter, r *http.Request, namespace, name string) {
	var pod *corev1.Pod
	err := s.Door.Do(func() {
		if found, ok := s.run.Simulation().State.Get(corev1.Resource("pods"), namespace, name); ok {
			pod = found.(*corev1.Pod)
		}
	})
	query := r.URL.Query()
	switch container := query.Get("container"); {
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
	if tail, err := strconv.Atoi(query.Get("tailLines")); err == nil && tail >= 0 && tail < len(lines) {
		lines = lines[len(lines)-tail:]
	}
	w.Header().Set("Content-Type", "text/plain")
	for _, l := range lines {
		if query.Get("timestamps") == "true" {
			_, _ = io.WriteString(w, l.at.UTC().Format(time.RFC3339Nano)+" ")
		}
		_, _ = io.WriteString(w, l.text+"\n")
	}
}

func containers(pod *corev1.Pod) []corev1.Container {
	return slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers)
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
	for _, c := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		switch {
		case c.State.Running != nil:
			add(c.State.Running.StartedAt, "container %s started (restarts: %d)", c.Name, c.RestartCount)
		case c.State.Terminated != nil:
			add(c.State.Terminated.FinishedAt, "container %s ended with exit code %d%s", c.Name, c.State.Terminated.ExitCode,
				reason(c.State.Terminated.Reason, c.State.Terminated.Message))
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

// reason is a reason and its message in parentheses.
func reason(reason, message string) string {
	text := strings.Trim(reason+": "+message, ": ")
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}
