package deployment

import (
	"fmt"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kubernetes/pkg/controller"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
	labelsutil "k8s.io/kubernetes/pkg/util/labels"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

// revisionHistory is how many characters of old revisions upstream keeps in an annotation
// (maxRevHistoryLengthInChars).
const revisionHistory = 2000

// newReplicaSet is the ReplicaSet of the Deployment's template, and all the others. It brings the new one's
// annotations up to date, and creates it if it is missing and create is set; otherwise it may be nil.
func (t *syncModel) newReplicaSet(create bool) (*appsv1.ReplicaSet, []*appsv1.ReplicaSet, error) {
	_, old := deploymentutil.FindOldReplicaSets(t.d, t.list)
	existing := deploymentutil.FindNewReplicaSet(t.d, t.list)
	revision := strconv.FormatInt(deploymentutil.MaxRevision(silent, old)+1, 10)
	switch {
	case existing != nil:
		rs, err := t.refresh(existing, revision)
		return rs, old, err
	case !create:
		return nil, old, nil
	}
	rs, err := t.create(old, revision)
	return rs, old, err
}

// refresh copies the Deployment's annotations, its revision and minReadySeconds to the new ReplicaSet. That
// happens at a rollback to an older template, whose ReplicaSet gets the newest revision.
func (t *syncModel) refresh(existing *appsv1.ReplicaSet, revision string) (*appsv1.ReplicaSet, error) {
	rs := existing.DeepCopy()
	changed := deploymentutil.SetNewReplicaSetAnnotations(background, t.d, rs, revision, true, revisionHistory)
	if changed || rs.Spec.MinReadySeconds != t.d.Spec.MinReadySeconds {
		t.noteRefresh(existing, rs)
		rs.Spec.MinReadySeconds = t.d.Spec.MinReadySeconds
		return rs, t.writeReplicaSet(rs)
	}
	update := deploymentutil.SetDeploymentRevision(t.d, rs.Annotations[deploymentutil.RevisionAnnotation])
	condition := deploymentutil.GetDeploymentCondition(t.d.Status, appsv1.DeploymentProgressing)
	if deploymentutil.HasProgressDeadline(t.d) && condition == nil {
		t.progressing(deploymentutil.FoundNewRSReason)
		update = true
	}
	if update {
		return rs, t.writeStatus()
	}
	return rs, nil
}

// noteRefresh adds the step for annotations that change; the controller may ask for it twice in a sync.
func (t *syncModel) noteRefresh(before, after *appsv1.ReplicaSet) {
	const title = "annotations of the new ReplicaSet"
	if slices.ContainsFunc(t.out.Steps, func(s arithmetic.Step) bool { return s.Title == title }) {
		return
	}
	s := t.out.Step(title, syncFile, "getNewReplicaSet")
	if a, b := before.Annotations[deploymentutil.RevisionAnnotation], after.Annotations[deploymentutil.RevisionAnnotation]; a != b {
		s.Line("revision", a, b)
	}
	if before.Spec.MinReadySeconds != t.d.Spec.MinReadySeconds {
		s.Line("minReadySeconds", fmt.Sprint(before.Spec.MinReadySeconds), t.d.Spec.MinReadySeconds)
	}
	if len(s.Lines) == 0 {
		s.Line(after.Name, "the Deployment's annotations", "copied")
	}
}

// create makes the ReplicaSet of a template that has none yet. Its first size is what there is room for.
func (t *syncModel) create(old []*appsv1.ReplicaSet, revision string) (*appsv1.ReplicaSet, error) {
	rs := t.fromTemplate()
	size, err := deploymentutil.NewRSNewReplicas(t.d, append(slices.Clip(old), rs), rs)
	if err != nil {
		return nil, err
	}
	*rs.Spec.Replicas = size
	deploymentutil.SetNewReplicaSetAnnotations(background, t.d, rs, revision, false, revisionHistory)
	s := t.out.Step("no ReplicaSet has this template", syncFile, "getNewReplicaSet")
	s.Line("new ReplicaSet", rs.Name, "revision "+revision)
	if deploymentutil.IsRollingUpdate(t.d) {
		most := *t.d.Spec.Replicas + deploymentutil.MaxSurge(*t.d)
		s.Line("its size", fmt.Sprintf("maxTotalPods %d - currentPodCount %d, not above replicas %d",
			most, deploymentutil.GetReplicaCountForReplicaSets(old), *t.d.Spec.Replicas), size)
	} else {
		s.Line("its size", "spec.replicas", size)
	}
	t.request("create", "replicasets", rs.Name)
	if arrived, ok := t.arrived[rs.Name]; ok {
		return t.adoptArrived(s, rs.Name, arrived, revision)
	}
	t.effect(arithmetic.Effect{ReplicaSet: rs.Name, To: size, Created: true})
	t.out.Rollout.NewReplicaSet = rs.Name
	if most := *t.d.Spec.Replicas + deploymentutil.MaxSurge(*t.d); deploymentutil.IsRollingUpdate(t.d) {
		t.because("%s", room(most, deploymentutil.GetReplicaCountForReplicaSets(old), size))
	} else {
		t.because("no old Pods")
	}
	update := deploymentutil.SetDeploymentRevision(t.d, revision)
	if deploymentutil.HasProgressDeadline(t.d) {
		t.progressing(deploymentutil.NewReplicaSetReason)
		update = true
	}
	if update {
		return rs, t.writeStatus()
	}
	return rs, nil
}

// adoptArrived continues after 409 AlreadyExists: an earlier sync made the ReplicaSet, and the cache did not know.
func (t *syncModel) adoptArrived(s *arithmetic.Step, name string, rs *appsv1.ReplicaSet, revision string) (*appsv1.ReplicaSet, error) {
	t.expectRefusal()
	if rs == nil {
		s.Line("409 AlreadyExists", "its cache has none of that name yet", "tries again")
		return nil, fmt.Errorf("replicasets/%s exists, but its cache does not have it yet; it tries again", name)
	}
	if owner := metav1.GetControllerOf(rs); owner == nil || owner.UID != t.d.UID ||
		!deploymentutil.EqualIgnoreHash(&t.d.Spec.Template, &rs.Spec.Template) {
		s.Line("409 AlreadyExists", "it has another owner or another template", "collisionCount + 1")
		// The controller returns the error of the creation, whatever comes of this write.
		_ = t.writeStatus()
		return nil, fmt.Errorf("the name %s is taken; it increments collisionCount and tries another name", name)
	}
	s.Line("409 AlreadyExists", "an earlier sync created it, and now it is in the cache", *rs.Spec.Replicas)
	if deploymentutil.SetDeploymentRevision(t.d, revision) {
		return rs, t.writeStatus()
	}
	return rs, nil
}

// fromTemplate is the ReplicaSet that belongs to the Deployment's template, without Pods.
func (t *syncModel) fromTemplate() *appsv1.ReplicaSet {
	template := *t.d.Spec.Template.DeepCopy()
	hash := controller.ComputeHash(&template, t.d.Status.CollisionCount)
	template.Labels = labelsutil.CloneAndAddLabel(t.d.Spec.Template.Labels, appsv1.DefaultDeploymentUniqueLabelKey, hash)
	prefix := t.d.Name
	if most := validation.DNS1123SubdomainMaxLength - len(hash) - 1; most > 0 && len(prefix) > most {
		prefix = prefix[:most]
	}
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: prefix + "-" + hash, Namespace: t.d.Namespace, Labels: template.Labels,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(t.d, appsv1.SchemeGroupVersion.WithKind("Deployment"))},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: new(int32), MinReadySeconds: t.d.Spec.MinReadySeconds, Template: template,
			Selector: labelsutil.CloneSelectorAndAddLabel(t.d.Spec.Selector, appsv1.DefaultDeploymentUniqueLabelKey, hash),
		},
	}
}

// progressing notes a reason of the condition Progressing in the copy of the Deployment.
func (t *syncModel) progressing(reason string) {
	t.condition(&t.d.Status, appsv1.DeploymentProgressing, corev1.ConditionTrue, reason)
}
