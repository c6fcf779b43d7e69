package batch

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	jobutil "k8s.io/kubernetes/pkg/controller/job/util"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

const cronJobFile = "pkg/controller/cronjob/cronjob_controllerv2.go"

// schedule is a sync of a CronJob: which time is due, and which one is next.
type schedule struct {
	observed.Sync
	out *arithmetic.Explanation
	job *batchv1.CronJob
	cron.Schedule
	now time.Time
}

// CronJob explains a sync of a CronJob, as syncCronJob decides.
func CronJob(s observed.Sync) *arithmetic.Explanation {
	job := &batchv1.CronJob{}
	e, ok := s.Begin(cronJobs, "CronJob", job)
	if !ok {
		return e
	}
	refresh(s, e, job)
	switch {
	case job.DeletionTimestamp != nil:
		e.Verdict = "nothing: it is being deleted"
		return e
	case job.Spec.Suspend != nil && *job.Spec.Suspend:
		e.Verdict = "nothing: it is suspended"
		return e
	}
	text := job.Spec.Schedule
	if job.Spec.TimeZone != nil && !strings.Contains(text, "TZ") {
		text = "TZ=" + *job.Spec.TimeZone + " " + text
	}
	parsed, err := cron.ParseStandard(text)
	if err != nil {
		e.Verdict = fmt.Sprintf("nothing: the schedule %q is invalid: %v", text, err)
		return e
	}
	c := &schedule{Sync: s, out: e, job: job, Schedule: parsed, now: s.Time(s.Start.At)}
	c.decide()
	e.Why = e.Verdict
	return s.Finish(e)
}

// refresh replaces a CronJob by its newest version if the sync read that: a Job that its cache has is not in status.active.
func refresh(s observed.Sync, e *arithmetic.Explanation, job *batchv1.CronJob) {
	for _, r := range s.Requests {
		newest := &batchv1.CronJob{}
		o := trace.Object{Resource: cronJobs, Namespace: s.Namespace, Name: s.Name}
		if r.Request.Verb != "get" || r.Request.Object != o ||
			observed.Convert(s.Rec.Replay.ObjectVersion(o, observed.Number(r.Request.RV)), newest) != nil {
			continue
		}
		e.Step("status.active", cronJobFile, "syncCronJob").Line("read again", "the cache has a Job that is not in status.active", nil)
		unknown := func(active corev1.ObjectReference) bool { return !slices.Contains(job.Status.Active, active) }
		if slices.ContainsFunc(newest.Status.Active, unknown) {
			*job = *newest
		}
		return
	}
}

// decide says whether a Job is created, and when the next one is due.
func (c *schedule) decide() {
	step := c.out.Step("which time is due", "pkg/controller/cronjob/utils.go", "mostRecentScheduleTime")
	due, missed := c.due(step)
	next := c.Next(c.now)
	c.out.Step("next", "pkg/controller/cronjob/utils.go", "nextScheduleTimeDuration").
		Line("next scheduled time", "after "+stamp(c.now), fmt.Sprintf("%s, in %s", stamp(next), recording.Short(next.Sub(c.now))))
	step = c.out.Step("create a Job?", cronJobFile, "syncCronJob")
	deadline := c.job.Spec.StartingDeadlineSeconds
	name := ""
	if !due.IsZero() {
		name = fmt.Sprintf("%s-%d", c.job.Name, due.Unix()/60)
	}
	e := c.out
	switch {
	case due.IsZero() && missed > 0:
		e.Verdict = fmt.Sprintf("nothing: about %d times are missed, but the guess of the last one from the first distance is too late",
			missed)
	case due.IsZero():
		e.Verdict = "nothing: no time is due; the next one is " + stamp(next)
	case deadline != nil && due.Add(time.Duration(*deadline)*time.Second).Before(c.now):
		e.Verdict = fmt.Sprintf("nothing: %s is missed, startingDeadlineSeconds %d has passed", stamp(due), *deadline)
	case c.isActive(name) || c.job.Status.LastScheduleTime != nil && c.job.Status.LastScheduleTime.Time.Equal(due):
		e.Verdict = fmt.Sprintf("nothing: the Job of %s was created already; the next one is due at %s", stamp(due), stamp(next))
	case c.job.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent && c.running() > 0:
		e.Verdict = fmt.Sprintf("nothing: %s is due, but concurrencyPolicy is Forbid and %d Jobs are active", stamp(due), c.running())
	default:
		if n := c.running(); c.job.Spec.ConcurrencyPolicy == batchv1.ReplaceConcurrent && n > 0 {
			e.Act("delete", "jobs", n)
			step.Line("Replace", "active Jobs are deleted", n)
		}
		e.Act("create", "jobs", 1, name)
		e.Verdict = fmt.Sprintf("it creates Job %s for %s", name, stamp(due))
	}
	step.Line("status.lastScheduleTime", "", c.last())
	step.Line("active Jobs", string(c.job.Spec.ConcurrencyPolicy), c.running())
}

// due is the last scheduled time up to now, zero for none, as upstream finds it: it takes the distance of the first two
// missed times for that of all, and looks from the last but one on. An irregular schedule may have no time from there on.
func (c *schedule) due(step *arithmetic.Step) (last time.Time, missed int64) {
	from := c.job.CreationTimestamp.Time
	word := "created"
	if t := c.job.Status.LastScheduleTime; t != nil {
		from, word = t.Time, "status.lastScheduleTime"
	}
	if s := c.job.Spec.StartingDeadlineSeconds; s != nil {
		if limit := c.now.Add(-time.Duration(*s) * time.Second); limit.After(from) {
			from, word = limit, fmt.Sprintf("now - startingDeadlineSeconds %d", *s)
		}
	}
	step.Line("from", word, stamp(from))
	first := c.Next(from)
	second := c.Next(first)
	switch {
	case first.IsZero() || c.now.Before(first):
		step.Line("first time", stamp(first)+" is after now "+stamp(c.now), nil)
		return last, 0
	case c.now.Before(second):
		step.Line("due", "", stamp(first))
		return first, 1
	}
	distance := second.Sub(first).Round(time.Second)
	if distance < time.Second {
		return last, 0
	}
	missed = int64(c.now.Sub(first).Truncate(time.Second)/distance) + 1
	step.Line("missed", fmt.Sprintf("(%s - %s) / %s + 1", stamp(c.now), stamp(first), distance), missed)
	guess := first.Add(time.Duration(missed-2) * distance)
	step.Line("looks from", fmt.Sprintf("%s + (%d - 2) * %s", stamp(first), missed, distance), stamp(guess))
	for t := c.Next(guess); !t.IsZero() && !t.After(c.now); t = c.Next(t) {
		last = t
	}
	step.Line("due", "the last time up to now", stamp(last))
	return last, missed
}

// isActive reports whether a Job is in status.active.
func (c *schedule) isActive(name string) bool {
	for _, active := range c.job.Status.Active {
		if active.Name == name {
			return true
		}
	}
	return false
}

// running counts the Jobs in status.active that have not finished, as far as the cache knows.
func (c *schedule) running() int {
	n := 0
	for _, active := range c.job.Status.Active {
		job := &batchv1.Job{}
		found, err := c.Get(jobs, active.Name, job)
		gone := slices.ContainsFunc(c.Requests, func(r *trace.Record) bool {
			return r.Request.Verb == "get" && r.Request.Name == active.Name && r.Request.Code == http.StatusNotFound
		})
		if err == nil && !gone && (!found || !jobutil.IsJobFinished(job)) {
			n++
		}
	}
	return n
}

func (c *schedule) last() string {
	if t := c.job.Status.LastScheduleTime; t != nil {
		return stamp(t.Time)
	}
	return "none"
}

// stamp is a date and time, "none" for the zero time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "none"
	}
	return t.UTC().Format(time.RFC3339)
}
