// Package podtemplate makes it cheap to see that two specs of Pods are equal. Upstream's equality.Semantic.DeepEqual compares objects
// field by field with reflection, which is a tenth of a rollout: the Deployment controller looks in each sync for the ReplicaSet with its
// template, and the validation of an update asks whether the spec is still the old one. Mostly it is.
//
// Equal objects mostly have equal encodings, and generated code encodes a spec in a fraction of that time. So specs with a Pod's spec in
// them are encoded first. If the encodings differ, the objects can still be equal, such as quantities of 1Gi and 1073741824, and
// upstream's function decides. It also decides about specs with a time in them, since encodings leave out the fractions of its second.
//
// equality.Semantic is one table for the process. This package adds to it when it is initialized, so importing it is enough. Upstream
// compares the types of package core by copies of the table that ignore some differences; those of package v1 are not among them.
package podtemplate

import (
	"bytes"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// upstream compares all types field by field.
var upstream = equality.Semantic.Copy()

// The functions do not share a generic one, through which their arguments would escape to the heap.
func init() {
	err := equality.Semantic.AddFuncs(
		func(a, b corev1.PodSpec) bool {
			return isTimeless(&a) && isTimeless(&b) &&
				areSame(a.Size(), b.Size(), a.MarshalToSizedBuffer, b.MarshalToSizedBuffer) || upstream.DeepEqual(a, b)
		},
		func(a, b corev1.PodTemplateSpec) bool {
			return isTimelessTemplate(&a) && isTimelessTemplate(&b) &&
				areSame(a.Size(), b.Size(), a.MarshalToSizedBuffer, b.MarshalToSizedBuffer) || upstream.DeepEqual(a, b)
		},
		func(a, b appsv1.DeploymentSpec) bool {
			return isTimelessTemplate(&a.Template) && isTimelessTemplate(&b.Template) &&
				areSame(a.Size(), b.Size(), a.MarshalToSizedBuffer, b.MarshalToSizedBuffer) || upstream.DeepEqual(a, b)
		},
		func(a, b appsv1.ReplicaSetSpec) bool {
			return isTimelessTemplate(&a.Template) && isTimelessTemplate(&b.Template) &&
				areSame(a.Size(), b.Size(), a.MarshalToSizedBuffer, b.MarshalToSizedBuffer) || upstream.DeepEqual(a, b)
		},
	)
	if err != nil {
		panic("podtemplate: " + err.Error())
	}
}

// isTimeless reports whether a spec has no time in it.
func isTimeless(spec *corev1.PodSpec) bool {
	for i := range spec.Volumes {
		claim := spec.Volumes[i].Ephemeral
		if claim != nil && claim.VolumeClaimTemplate != nil && !hasNoTime(&claim.VolumeClaimTemplate.ObjectMeta) {
			return false
		}
	}
	return true
}

func isTimelessTemplate(template *corev1.PodTemplateSpec) bool {
	return hasNoTime(&template.ObjectMeta) && isTimeless(&template.Spec)
}

func hasNoTime(of *metav1.ObjectMeta) bool {
	return of.CreationTimestamp.IsZero() && of.DeletionTimestamp == nil && len(of.ManagedFields) == 0
}

// buffers are for encodings of two objects.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// areSame reports whether two objects have the same encoding. The sizes are those of their encodings.
func areSame(aSize, bSize int, a, b func([]byte) (int, error)) bool {
	if aSize != bSize {
		return false
	}
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	if cap(*buffer) < 2*aSize {
		*buffer = make([]byte, 2*aSize)
	}
	whole := (*buffer)[:2*aSize]
	first, second := whole[:aSize:aSize], whole[aSize:]
	if _, err := a(first); err != nil {
		return false
	}
	if _, err := b(second); err != nil {
		return false
	}
	return bytes.Equal(first, second)
}
