package liveness

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/trace"
)

var cronJobs = Goal{
	Resource: batchv1.Resource("cronjobs"), Controller: "cronjob-controller",
	Sentence: "A CronJob that is not suspended has created a Job for its last scheduled time, unless its starting deadline has passed.",
	Upstream: "syncCronJob in k8s.io/kubernetes/pkg/controller/cronjob/cronjob_controllerv2.go",
	lack: func(v *view, object runtime.Object) *Lack {
		job := object.(*batchv1.CronJob)
		if job.DeletionTimestamp != nil || job.Spec.Suspend != nil && *job.Spec.Suspend {
			return nil
		}
		missed, ok := lastMissed(job, v.Date().Add(-rest))
		if !ok {
			return nil
		}
		if deadline := job.Spec.StartingDeadlineSeconds; deadline != nil && v.Date().Sub(missed) > time.Duration(*deadline)*time.Second {
			return nil
		}
		lack := &Lack{Missing: fmt.Sprintf("it was due at %s, but no Job was created", missed.UTC().Format(time.RFC3339)), Since: missed}
		if job.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent && len(job.Status.Active) > 0 {
			active := job.Status.Active[0].Name
			lack.For = "Job " + active + ", which has not finished"
			lack.On = &trace.Object{Resource: batchv1.Resource("jobs").String(), Namespace: job.Namespace, Name: active}
		}
		return lack
	},
	note: func(_ *view, object runtime.Object) string {
		if job := object.(*batchv1.CronJob); job.Spec.Suspend != nil && *job.Spec.Suspend {
			return "spec.suspend is true: it creates Jobs after it is resumed"
		}
		return ""
	},
}

// lastMissed is the last time up to now for which no Job was created.
func lastMissed(job *batchv1.CronJob, now time.Time) (time.Time, bool) {
	text := job.Spec.Schedule
	if job.Spec.TimeZone != nil && !strings.Contains(text, "TZ") {
		text = "TZ=" + *job.Spec.TimeZone + " " + text
	}
	schedule, err := cron.ParseStandard(text)
	if err != nil {
		return time.Time{}, false
	}
	from := job.CreationTimestamp.Time
	if job.Status.LastScheduleTime != nil {
		from = job.Status.LastScheduleTime.Time
	}
	const most = 10_000
	var missed time.Time
	t := schedule.Next(from)
	for range most {
		if t.IsZero() || t.After(now) {
			break
		}
		missed, t = t, schedule.Next(t)
	}
	return missed, !missed.IsZero()
}
