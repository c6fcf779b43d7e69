package sitekeeper

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Objects in a cache are shared, so whoever changes one changes a copy of it. A copy has maps, slices and pointers of its own;
// all other fields are copied by an assignment. For more than a few types, controller-gen and deepcopy-gen write this file.

// DeepCopy returns a Site that shares nothing with this one.
func (s *Site) DeepCopy() *Site {
	out := *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if s.Status.Conditions != nil {
		out.Status.Conditions = make([]metav1.Condition, len(s.Status.Conditions))
		copy(out.Status.Conditions, s.Status.Conditions)
	}
	return &out
}

// DeepCopyObject implements runtime.Object.
func (s *Site) DeepCopyObject() runtime.Object { return s.DeepCopy() }

// DeepCopyObject implements runtime.Object.
func (l *SiteList) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	if l.Items != nil {
		out.Items = make([]Site, len(l.Items))
		for i := range l.Items {
			out.Items[i] = *l.Items[i].DeepCopy()
		}
	}
	return &out
}
