package controlplane

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	registrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/kube-aggregator/pkg/controllers/autoregister"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
)

// registration registers the versions of CustomResourceDefinitions as APIServices, and removes these with them, as upstream's controllers
// crdregistration and autoregister do.
type registration struct{ sim *sim.Simulation }

const (
	// continuously is the value of the label of APIServices that follow a definition (manageContinuously in package autoregister).
	continuously = "true"
	// customPriority and customVersionPriority are those of the groups of definitions (handleVersionUpdate in package crdregistration).
	customPriority, customVersionPriority = 1000, 100
)

var definitions = apiextensionsv1.Resource("customresourcedefinitions")

// startRegistration registers what is there, and from now on what changes.
func startRegistration(s *sim.Simulation) {
	r := &registration{s}
	for _, object := range s.State.List(definitions, "") {
		r.registerLater(object, 0)
	}
	s.OnChange(func(change network.Change) {
		switch {
		case change.Resource.GroupResource() == definitions:
			r.registerLater(change.Object, change.Seq)
		case change.Resource.GroupResource() == apiServices.GroupResource():
			// Who deletes or edits one of these gets it back.
			service := change.Object.(*registrationv1.APIService)
			if service.Labels[autoregister.AutoRegisterManagedLabel] == continuously {
				r.syncLater(schema.GroupVersion{Group: service.Spec.Group, Version: service.Spec.Version}, change.Seq)
			}
		}
	})
}

// registerLater registers the versions of a definition.
func (r *registration) registerLater(object runtime.Object, cause int64) {
	if crd := definition(object); crd != nil {
		for _, version := range crd.Spec.Versions {
			r.syncLater(schema.GroupVersion{Group: crd.Spec.Group, Version: version.Name}, cause)
		}
	}
}

// syncLater registers a version when the controller has received the change.
func (r *registration) syncLater(version schema.GroupVersion, cause int64) {
	if r.isInOrder(version) {
		return
	}
	key := "autoregister|" + version.Version + "." + version.Group
	r.sim.Engine.As(engine.Component).After(r.sim.Reaction(key), key, func() { r.sync(version, cause) })
}

// isInOrder reports whether nothing is to be done for a version.
func (r *registration) isInOrder(version schema.GroupVersion) bool {
	return r.request(version) == nil
}

// sync does what is to be done for a version. What the API server refuses is done after the next change.
func (r *registration) sync(version schema.GroupVersion, cause int64) {
	if request := r.request(version); request != nil {
		_, _ = r.sim.Execute(*request, cause, false)
	}
}

// request is what has to be done for a version, nil if nothing. An APIService without the label is somebody else's.
func (r *registration) request(version schema.GroupVersion) *apiserver.Request {
	name := version.Version + "." + version.Group
	object, _ := r.sim.State.Get(apiServices.GroupResource(), "", name)
	found, exists := object.(*registrationv1.APIService)
	request := &apiserver.Request{Actor: apiserver.Self, Resource: apiServices, Name: name}
	wanted := &registrationv1.APIService{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{autoregister.AutoRegisterManagedLabel: continuously}},
		Spec: registrationv1.APIServiceSpec{
			Group: version.Group, Version: version.Version, GroupPriorityMinimum: customPriority, VersionPriority: customVersionPriority,
		},
	}
	switch isServed := r.isServed(version); {
	case exists && found.Labels[autoregister.AutoRegisterManagedLabel] != continuously:
		return nil
	case isServed && !exists:
		request.Verb, request.Name, request.Object = "create", "", wanted
	case isServed && !equality.Semantic.DeepEqual(found.Spec, wanted.Spec):
		changed := found.DeepCopy()
		changed.Spec = wanted.Spec
		request.Verb, request.Object = "update", changed
	case !isServed && exists:
		request.Verb = "delete"
	default:
		return nil
	}
	return request
}

// isServed reports whether a definition has a version that is served.
func (r *registration) isServed(version schema.GroupVersion) bool {
	for _, object := range r.sim.State.List(definitions, "") {
		crd := definition(object)
		if crd == nil || crd.Spec.Group != version.Group {
			continue
		}
		for _, of := range crd.Spec.Versions {
			if of.Name == version.Version && of.Served {
				return true
			}
		}
	}
	return false
}

// definition is a definition with its type, nil if the object is none.
func definition(object runtime.Object) *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if untyped, ok := object.(runtime.Unstructured); ok {
		if runtime.DefaultUnstructuredConverter.FromUnstructured(untyped.UnstructuredContent(), crd) == nil {
			return crd
		}
		return nil
	}
	crd, _ = object.(*apiextensionsv1.CustomResourceDefinition)
	return crd
}
