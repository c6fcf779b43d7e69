package decision

import (
	"fmt"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	jobutil "k8s.io/kubernetes/pkg/controller/job/util"
)

// Example: status.active names the Job report-1, which runs. A creation of report-2 breaks the invariant.
var cronJobForbid = Rule{
	Name: "cronjob-forbid",
	Sentence: "With the concurrency policy Forbid, a controller does not create a Job for a CronJob while a Job that status.active names " +
		"has not finished.",
	Forgives: "Jobs that had finished in the controller's cache, and those that status.active did not name: a controller that crashes " +
		"after it has created a Job forgets it.",
	Upstream: "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#concurrency-policy; syncCronJob in " +
		"pkg/controller/cronjob/cronjob_controllerv2.go",
	Watch: func(r *Run) Watcher {
		return &forbidden{look: look{run: r}, cronJobs: versions[cronJobVersion]{}, runs: versions[bool]{}}
	},
}

type forbidden struct {
	look
	cronJobs versions[cronJobVersion]
	// runs are the Jobs that have not finished.
	runs versions[bool]
}

// cronJobVersion is what a version of a CronJob says. The uids of active are separated by spaces.
type cronJobVersion struct {
	forbids bool
	active  string
}

func (f *forbidden) Change(c *Change) {
	switch object := c.Object.(type) {
	case *batchv1.CronJob:
		var active []string
		for i := range object.Status.Active {
			active = append(active, string(object.Status.Active[i].UID))
		}
		forbids := object.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent
		f.cronJobs.follow(c, object, cronJobVersion{forbids, strings.Join(active, " ")})
	case *batchv1.Job:
		f.runs.follow(c, object, !jobutil.IsJobFinished(object))
		owner := metav1.GetControllerOfNoCopy(object)
		if owner != nil && owner.Kind == "CronJob" && c.Previous == nil && c.isBy(names.CronJobController) {
			f.created(c, object, owner)
		}
	}
}

// created looks for a Job that all versions of the CronJob name, and that runs.
func (f *forbidden) created(c *Change, job *batchv1.Job, owner *metav1.OwnerReference) {
	f.looked = true
	values := f.cronJobs.in(owner.UID, f.run.Views.Of("cronjobs.batch", c.By))
	if len(values) == 0 {
		return
	}
	jobs := f.run.Views.Of("jobs.batch", c.By)
	for _, uid := range strings.Fields(values[0].active) {
		isNamed := !slices.ContainsFunc(values, func(v cronJobVersion) bool {
			return !v.forbids || !slices.Contains(strings.Fields(v.active), uid)
		})
		if isNamed && f.runs.all(types.UID(uid), jobs, func(runs *bool) bool { return *runs }) {
			f.run.Broken(c.Seq, fmt.Sprintf("%s created Job %s/%s, although the last Job of CronJob %s had not finished",
				c.By.Actor, job.Namespace, job.Name, owner.Name))
			return
		}
	}
}
