// Package admissionplugin has the admission plugins that are not upstream's as a whole, because upstream's wait on goroutines of their
// own.
package admissionplugin

import (
	"context"
	"errors"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	quotaconfig "k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// quotas charges creations and resizes to the ResourceQuotas of their namespace. What an object costs, which
// quotas it is charged to and whether they have room is upstream's (CheckRequest and the evaluators). Only
// the pool of workers around it is not, which checks the waiting requests of one namespace together: here
// one request is executed after the other, so none waits and no update of a quota conflicts.
type quotas struct {
	*admission.Handler
	client   kubernetes.Interface
	lister   corelisters.ResourceQuotaLister
	ignored  map[schema.GroupResource]struct{}
	registry quota.Registry
	// limited are the resources that only a quota allows.
	limited []quotaconfig.LimitedResource
}

var (
	_ admission.ValidationInterface                = &quotas{}
	_ initializer.WantsExternalKubeClientSet       = &quotas{}
	_ initializer.WantsExternalKubeInformerFactory = &quotas{}
)

// RegisterQuotas registers the plugin ResourceQuota. served are the resources that can have a quota.
func RegisterQuotas(plugins *admission.Plugins, served func() (*serverstorage.ResourceConfig, error)) {
	plugins.Register(resourcequota.PluginName, func(file io.Reader) (admission.Interface, error) {
		config, err := served()
		if err != nil {
			return nil, err
		}
		return newQuotas(file, config)
	})
}

// newQuotas reads the plugin's configuration, which may be nil.
func newQuotas(file io.Reader, served *serverstorage.ResourceConfig) (admission.Interface, error) {
	settings, err := resourcequota.LoadConfiguration(file)
	if err != nil {
		return nil, fmt.Errorf("configuration of the plugin ResourceQuota: %w", err)
	}
	config, err := quotaConfiguration(served)
	if err != nil {
		return nil, fmt.Errorf("configuration of quotas: %w", err)
	}
	return &quotas{
		Handler: admission.NewHandler(admission.Create, admission.Update),
		ignored: config.IgnoredResources(), registry: generic.NewRegistry(config.Evaluators()),
		limited: settings.LimitedResources,
	}, nil
}

// SetExternalKubeClientSet implements initializer.WantsExternalKubeClientSet.
func (q *quotas) SetExternalKubeClientSet(client kubernetes.Interface) { q.client = client }

// SetExternalKubeInformerFactory implements initializer.WantsExternalKubeInformerFactory.
func (q *quotas) SetExternalKubeInformerFactory(factory informers.SharedInformerFactory) {
	q.lister = factory.Core().V1().ResourceQuotas().Lister()
}

// ValidateInitialization implements admission.InitializationValidator.
func (q *quotas) ValidateInitialization() error {
	if q.client == nil || q.lister == nil {
		return errors.New("missing client or lister")
	}
	return nil
}

// Validate implements admission.ValidationInterface. The usage is written before the object is, and stays
// if the object is refused later; the resource quota controller counts again.
func (q *quotas) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	resource := a.GetResource().GroupResource()
	if _, ignored := q.ignored[resource]; ignored || a.GetNamespace() == "" || resource == corev1.Resource("namespaces") {
		return nil
	}
	evaluator := q.registry.Get(resource)
	if evaluator == nil {
		evaluator = generic.NewObjectCountEvaluator(resource, nil, "")
		q.registry.Add(evaluator)
	}
	if !evaluator.Handles(a) {
		return nil
	}
	before, err := q.of(a.GetNamespace())
	if err != nil || len(before) == 0 && len(q.limited) == 0 {
		return err
	}
	after, err := resourcequota.CheckRequest(before, a, evaluator, q.limited)
	if err != nil || a.IsDryRun() {
		return err
	}
	for i := range after {
		if quota.Equals(before[i].Status.Used, after[i].Status.Used) {
			continue
		}
		_, err := q.client.CoreV1().ResourceQuotas(after[i].Namespace).UpdateStatus(ctx, &after[i], metav1.UpdateOptions{})
		if err != nil {
			return err
		}
	}
	return nil
}

// of lists the quotas of a namespace by name.
func (q *quotas) of(namespace string) ([]corev1.ResourceQuota, error) {
	found, err := q.lister.ResourceQuotas(namespace).List(labels.Everything())
	if err != nil {
		return nil, fmt.Errorf("error resolving quota: %w", err)
	}
	list := make([]corev1.ResourceQuota, 0, len(found))
	for _, item := range found {
		list = append(list, *item)
	}
	return list, nil
}
