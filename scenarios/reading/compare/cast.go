package compare

import (
	"iter"
	"regexp"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// Role tells objects apart whose names have the same pattern.
type Role string

const (
	// Finished are Pods of a controller that have ended.
	Finished Role = "finished"
	// OfCronJob are the Jobs of a CronJob and their Pods. Their names have the times for which they were scheduled.
	OfCronJob Role = "of a CronJob"
)

// Subject names the objects, with their role.
func (p FinalPair) Subject() string {
	if p.Role == "" {
		return trace.ObjectName(p.Object)
	}
	return trace.ObjectName(p.Object) + " (" + string(p.Role) + ")"
}

const (
	pods = "pods"
	jobs = "jobs.batch"
)

// cast knows which objects play a role for those that they own.
type cast struct {
	// scheduled are the Jobs of CronJobs.
	scheduled map[trace.Object]bool
}

func newCast(objects iter.Seq2[trace.Object, map[string]any]) cast {
	c := cast{map[trace.Object]bool{}}
	for object, content := range objects {
		if kind, _ := controllerOf(content); object.Resource == jobs && kind == "CronJob" {
			c.scheduled[object] = true
		}
	}
	return c
}

// role is the role of an object, empty for most.
func (c cast) role(object trace.Object, content map[string]any) Role {
	kind, name := controllerOf(content)
	switch {
	case c.scheduled[object],
		kind == "Job" && c.scheduled[trace.Object{Resource: jobs, Namespace: object.Namespace, Name: name}]:
		return OfCronJob
	case object.Resource == pods && kind != "" && hasEnded(content):
		return Finished
	}
	return ""
}

func hasEnded(pod map[string]any) bool {
	phase := field(pod, "status", "phase")
	return phase == string(corev1.PodFailed) || phase == string(corev1.PodSucceeded)
}

// controllerOf is the kind and the name of the controller of an object.
func controllerOf(content map[string]any) (kind, name string) {
	references, _ := field(content, "metadata", "ownerReferences").([]any)
	for _, reference := range references {
		owner, _ := reference.(map[string]any)
		if owner["controller"] == true {
			kind, _ = owner["kind"].(string)
			name, _ = owner["name"].(string)
		}
	}
	return kind, name
}

// minutes are those since 1970 in the name of a Job of a CronJob: backup-29453761.
var minutes = regexp.MustCompile(`-\d{8,}`)

// timeless is a name without the time for which it was scheduled.
func timeless(name string) string { return minutes.ReplaceAllString(name, "-(time)") }
