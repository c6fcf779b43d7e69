package deployment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

// The files of upstream that the steps name.
const (
	controllerFile = "pkg/controller/deployment/deployment_controller.go"
	syncFile       = "pkg/controller/deployment/sync.go"
	rollingFile    = "pkg/controller/deployment/rolling.go"
	recreateFile   = "pkg/controller/deployment/recreate.go"
	progressFile   = "pkg/controller/deployment/progress.go"
	rollbackFile   = "pkg/controller/deployment/rollback.go"
	utilFile       = "pkg/controller/deployment/util/deployment_util.go"
	refFile        = "pkg/controller/controller_ref_manager.go"
)

// silent and background are for upstream's functions that log.
var (
	silent     klog.Logger
	background = klog.NewContext(context.Background(), silent)
)

// syncModel is one sync of a Deployment, worked out without a cluster. Like the controller it works on copies of
// what the caches held, and like the controller it does not notice when its own write makes a copy old.
type syncModel struct {
	d    *appsv1.Deployment
	list []*appsv1.ReplicaSet
	// running counts the Pods of each owner.
	running map[types.UID]int
	// now is when the controller looked at the clock, to judge the deadline; zero leaves the deadline out.
	now time.Time
	out *arithmetic.Explanation
	// causes are the indices of the requests that bring the effects about, in their order.
	causes []int
	// terminating reports whether the Deployment's status counted Pods that terminate, the last time.
	terminating bool
	// arrived are ReplicaSets that were not in the cache when the sync began, but that it looked up later,
	// since its creation was answered with 409 AlreadyExists; nil if the cache still had none of that name.
	arrived map[string]*appsv1.ReplicaSet
	// statusWritten means that the Deployment's status was written: its copy is old, and the next write ends with 409
	// Conflict.
	statusWritten bool
	// stale is what the API server said of the Deployment that the cache did not know, if the sync asked it
	// before an adoption.
	stale string
	// expected are the indices of the requests that will be refused, as this sync itself made its copies old.
	expected []int
	// versions are the resourceVersions of the ReplicaSets that this sync wrote.
	versions map[types.UID]string
}

// explain works the sync out.
func (t *syncModel) explain() {
	t.numbers()
	err := t.claim()
	if err == nil {
		err = t.sync()
	}
	if len(t.out.Effects) > 0 {
		t.say("%s", doing(t.out.Effects))
	}
	var conflict *conflictError
	switch {
	case errors.As(err, &conflict) && t.out.Verdict != "":
		t.out.Answered("then " + conflict.verdict())
	case errors.As(err, &conflict):
		t.say("%s", conflict.verdict())
	case err != nil:
		t.say("the sync fails: %v", err)
	}
}

// say sets the verdict, unless there is one.
func (t *syncModel) say(format string, args ...any) {
	if t.out.Verdict == "" {
		t.out.Verdict = fmt.Sprintf(format, args...)
	}
}

// because adds to the arithmetic behind the verdict.
func (t *syncModel) because(format string, args ...any) {
	if t.out.Why != "" {
		t.out.Why += "; "
	}
	t.out.Why += fmt.Sprintf(format, args...)
}

// sync picks the branch, in the order in which the controller asks.
func (t *syncModel) sync() error {
	if apiequality.Semantic.DeepEqual(t.d.Spec.Selector, &metav1.LabelSelector{}) {
		t.branch(arithmetic.BranchSelectsAll, "an empty selector selects all Pods; it only warns")
		t.say("nothing: a Deployment must not select everything")
		if t.d.Status.ObservedGeneration < t.d.Generation {
			return t.writeStatus()
		}
		return nil
	}
	if t.d.DeletionTimestamp != nil {
		t.branch(arithmetic.BranchDeleted, "deletionTimestamp is set: it only keeps the status")
		newRS, old, err := t.newReplicaSet(false)
		if err != nil {
			return err
		}
		t.because("it only keeps the status")
		t.say("nothing: the Deployment is being deleted, and the garbage collector deletes its ReplicaSets")
		return t.statusOnly(newRS, append(slices.Clip(old), newRS))
	}
	t.out.Branch = string(t.d.Spec.Strategy.Type)
	if err := t.pauseCondition(); err != nil {
		return err
	}
	switch {
	case t.d.Spec.Paused:
		t.branch(arithmetic.BranchPaused, "spec.paused is true: it only scales")
		return t.scaleOnly()
	case rollbackTo(t.d) != nil:
		t.branch(arithmetic.BranchRollback, "annotation "+appsv1.DeprecatedRollbackTo+" asks for an older revision")
		return t.rollback()
	}
	scaling, err := t.scalingEvent()
	if err != nil {
		return err
	}
	if scaling {
		return t.scaleOnly()
	}
	switch t.d.Spec.Strategy.Type {
	case appsv1.RecreateDeploymentStrategyType:
		t.branch(arithmetic.BranchRecreate, "strategy Recreate: remove all old Pods, then create new ones")
		return t.recreate()
	case appsv1.RollingUpdateDeploymentStrategyType:
		return t.rolling()
	}
	return fmt.Errorf("unexpected deployment strategy type: %s", t.d.Spec.Strategy.Type)
}

func (t *syncModel) branch(name, why string) {
	t.out.Branch = name
	t.out.Step("branch: "+name, controllerFile, "syncDeployment").Line(why, "", nil)
}

// pauseCondition notes a pause, or its end, so that the time of a pause does not count for the deadline.
func (t *syncModel) pauseCondition() error {
	condition := deploymentutil.GetDeploymentCondition(t.d.Status, appsv1.DeploymentProgressing)
	if !deploymentutil.HasProgressDeadline(t.d) || condition != nil && condition.Reason == deploymentutil.TimedOutReason {
		return nil
	}
	reason, noted := deploymentutil.ResumedDeployReason, condition != nil && condition.Reason == deploymentutil.PausedDeployReason
	if t.d.Spec.Paused {
		reason = deploymentutil.PausedDeployReason
	}
	if t.d.Spec.Paused == noted {
		return nil
	}
	t.out.Step("pause", syncFile, "checkPausedConditions").Line("condition Progressing", "", reason)
	t.condition(&t.d.Status, appsv1.DeploymentProgressing, corev1.ConditionUnknown, reason)
	return t.writeStatus()
}

// scalingEvent reports whether spec.replicas differs from what the ReplicaSets were last sized for.
func (t *syncModel) scalingEvent() (bool, error) {
	newRS, old, err := t.newReplicaSet(false)
	if err != nil {
		return false, err
	}
	for _, rs := range controller.FilterActiveReplicaSets(append(slices.Clip(old), newRS)) {
		desired, ok := deploymentutil.GetDesiredReplicasAnnotation(silent, rs)
		if !ok || desired == *t.d.Spec.Replicas {
			continue
		}
		t.out.Branch = arithmetic.BranchScaling
		t.out.Step("branch: "+arithmetic.BranchScaling, syncFile, "isScalingEvent").Line(rs.Name,
			fmt.Sprintf("its annotation desired-replicas %d, spec.replicas %d", desired, *t.d.Spec.Replicas), "scale first, roll out later")
		return true, nil
	}
	return false, nil
}

// rollbackTo reads the annotation in which the API server keeps the rollbackTo of a v1beta1 client.
func rollbackTo(d *appsv1.Deployment) *int64 {
	revision, err := strconv.ParseInt(d.Annotations[appsv1.DeprecatedRollbackTo], 10, 64)
	if err != nil {
		return nil
	}
	return &revision
}

func (t *syncModel) rollback() error {
	newRS, old, err := t.newReplicaSet(true)
	if err != nil {
		return err
	}
	all := append(slices.Clip(old), newRS)
	revision := *rollbackTo(t.d)
	s := t.out.Step("which revision?", rollbackFile, "rollback")
	if revision == 0 {
		revision = deploymentutil.LastRevision(silent, all)
		s.Line("revision", "0 means the last one", revision)
	}
	for _, rs := range all {
		if v, err := deploymentutil.Revision(rs); err == nil && v == revision && revision != 0 {
			s.Line(rs.Name, "revision "+strconv.FormatInt(v, 10), "its template")
			t.say("it copies the template of %s into the Deployment; the rollout starts with the next sync", rs.Name)
			return t.writeDeployment("")
		}
	}
	t.say("it gives up: no ReplicaSet has revision %d", revision)
	return t.writeDeployment("")
}
