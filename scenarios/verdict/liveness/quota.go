package liveness

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/utils/clock"
)

var quotas = Goal{
	Resource: corev1.Resource("resourcequotas"), Controller: "resourcequota-controller",
	Sentence: "The status of a ResourceQuota contains the limits of its spec, and the usage of the Pods, Services, " +
		"PersistentVolumeClaims and Jobs that it limits.",
	Upstream: "syncResourceQuota in k8s.io/kubernetes/pkg/controller/resourcequota/resource_quota_controller.go; CalculateUsage in " +
		"k8s.io/apiserver/pkg/quota/v1",
	lack: func(v *view, object runtime.Object) *Lack {
		limit := object.(*corev1.ResourceQuota)
		if limit.DeletionTimestamp != nil {
			return nil
		}
		if !quota.Equals(limit.Spec.Hard, limit.Status.Hard) {
			return &Lack{Missing: "status.hard differs from spec.hard"}
		}
		usage, err := quota.CalculateUsage(limit.Namespace, limit.Spec.Scopes, limit.Status.Hard, v.evaluators(), limit.Spec.ScopeSelector)
		if err != nil {
			return nil // of a resource that is not known here
		}
		for _, resource := range slices.Sorted(maps.Keys(usage)) {
			used, counted := limit.Status.Used[resource]
			if is := usage[resource]; counted && used.Cmp(is) != 0 {
				// A request that is refused after admission counted it, for example, is corrected then.
				return &Lack{
					Missing: fmt.Sprintf("status.used of %s is %s, but the usage is %s", resource, used.String(), is.String()),
					For:     "the next full resync of resourcequota-controller (every 5 minutes by default)",
				}
			}
		}
		return nil
	},
}

// IsOverQuota reports whether what the object of a finding creates next exceeds a ResourceQuota: a Pod, a claim or a Job. The controller
// retries until there is room.
func IsOverQuota(world World, f *Finding) bool {
	v := newView(world)
	object, found := v.Get(schema.ParseGroupResource(f.Object.Resource), f.Object.Namespace, f.Object.Name)
	if !found {
		return false
	}
	evaluators := v.evaluators()
	return slices.ContainsFunc(next(object), func(created runtime.Object) bool {
		evaluator := evaluators.Get(resourceOf(created))
		usage, err := evaluator.Usage(created)
		if err != nil {
			return false
		}
		return slices.ContainsFunc(v.List(corev1.Resource("resourcequotas"), f.Object.Namespace), func(object runtime.Object) bool {
			limit := object.(*corev1.ResourceQuota)
			if matches, err := evaluator.Matches(limit, created); err != nil || !matches {
				return false
			}
			hard := limit.Status.Hard
			fits, _ := quota.LessThanOrEqual(quota.Mask(quota.Add(limit.Status.Used, usage), quota.ResourceNames(hard)), hard)
			return !fits
		})
	})
}

// next are the objects that an owner may create next.
func next(owner runtime.Object) []runtime.Object {
	var created []runtime.Object
	if template := podTemplate(owner); template != nil {
		created = append(created, &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec})
	}
	switch owner := owner.(type) {
	case *appsv1.StatefulSet:
		for i := range owner.Spec.VolumeClaimTemplates {
			created = append(created, &owner.Spec.VolumeClaimTemplates[i])
		}
	case *batchv1.CronJob:
		created = append(created, &batchv1.Job{ObjectMeta: owner.Spec.JobTemplate.ObjectMeta, Spec: owner.Spec.JobTemplate.Spec})
	}
	return created
}

// resourceOf is the resource of an object of next.
func resourceOf(created runtime.Object) schema.GroupResource {
	switch created.(type) {
	case *corev1.PersistentVolumeClaim:
		return corev1.Resource("persistentvolumeclaims")
	case *batchv1.Job:
		return batchv1.Resource("jobs")
	}
	return corev1.Resource("pods")
}

// podTemplate is that of an object which owns Pods; nil for others.
func podTemplate(object runtime.Object) *corev1.PodTemplateSpec {
	switch owner := object.(type) {
	case *appsv1.ReplicaSet:
		return &owner.Spec.Template
	case *appsv1.StatefulSet:
		return &owner.Spec.Template
	case *appsv1.DaemonSet:
		return &owner.Spec.Template
	case *batchv1.Job:
		return &owner.Spec.Template
	case *corev1.ReplicationController:
		return owner.Spec.Template
	}
	return nil
}

// evaluators are upstream's for the resources that need more than a count.
func (v *view) evaluators() quota.Registry {
	list := func(resource schema.GroupVersionResource) (cache.GenericLister, error) {
		return lister{v, resource.GroupResource()}, nil
	}
	return generic.NewRegistry([]quota.Evaluator{
		core.NewPodEvaluator(list, date{v: v}), core.NewServiceEvaluator(list), core.NewPersistentVolumeClaimEvaluator(list),
		generic.NewObjectCountEvaluator(batchv1.Resource("jobs"),
			generic.ListResourceUsingListerFunc(list, batchv1.SchemeGroupVersion.WithResource("jobs")), ""),
	})
}

// date is the clock of a World.
type date struct {
	clock.RealClock
	v *view
}

func (d date) Now() time.Time                  { return d.v.Date() }
func (d date) Since(t time.Time) time.Duration { return d.v.Date().Sub(t) }

// lister lists objects of a World for upstream's evaluators.
type lister struct {
	v        *view
	resource schema.GroupResource
}

func (l lister) List(selector labels.Selector) ([]runtime.Object, error) { return l.in("", selector) }

func (l lister) Get(string) (runtime.Object, error) { return nil, errors.ErrUnsupported }

func (l lister) ByNamespace(namespace string) cache.GenericNamespaceLister {
	return namespaceLister{l, namespace}
}

func (l lister) in(namespace string, selector labels.Selector) ([]runtime.Object, error) {
	return slices.DeleteFunc(slices.Clone(l.v.List(l.resource, namespace)), func(object runtime.Object) bool {
		accessor, err := meta.Accessor(object)
		return err != nil || !selector.Matches(labels.Set(accessor.GetLabels()))
	}), nil
}

type namespaceLister struct {
	lister
	namespace string
}

func (l namespaceLister) List(selector labels.Selector) ([]runtime.Object, error) {
	return l.in(l.namespace, selector)
}
