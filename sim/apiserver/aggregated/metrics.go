// Package aggregated has the API groups that other servers than kube-apiserver serve, and to which it forwards the requests
// for them: metrics.k8s.io, custom.metrics.k8s.io and external.metrics.k8s.io.
package aggregated

import (
	"context"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternal "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics"
	custommetricsinstall "k8s.io/metrics/pkg/apis/custom_metrics/install"
	custommetricsv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics"
	externalmetricsinstall "k8s.io/metrics/pkg/apis/external_metrics/install"
	externalmetricsv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	"k8s.io/metrics/pkg/apis/metrics"
	metricsinstall "k8s.io/metrics/pkg/apis/metrics/install"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

func init() {
	metricsinstall.Install(legacyscheme.Scheme)
	custommetricsinstall.Install(legacyscheme.Scheme)
	externalmetricsinstall.Install(legacyscheme.Scheme)
	// The module with the types leaves reading them from a query to the adapters.
	utilruntime.Must(legacyscheme.Scheme.AddConversionFunc((*url.Values)(nil), (*custommetricsv1beta2.MetricListOptions)(nil),
		func(from, to any, _ conversion.Scope) error {
			query, options := from.(*url.Values), to.(*custommetricsv1beta2.MetricListOptions)
			options.LabelSelector, options.MetricLabelSelector = query.Get("labelSelector"), query.Get("metricLabelSelector")
			return nil
		}))
}

// Source provides the usage of pods. In a cluster, metrics-server and an adapter of custom metrics do so; they
// are separate API servers, to which kube-apiserver forwards the requests for their groups.
type Source interface {
	// PodMetrics are the last samples of cpu and memory, of the pods in a namespace ("" is all) that selector matches.
	PodMetrics(namespace string, selector labels.Selector) []metrics.PodMetrics
	// NodeMetrics are the last samples of cpu and memory of all nodes.
	NodeMetrics() []metrics.NodeMetrics
	// CustomMetrics lists the other metrics of pods and of other objects, sorted.
	CustomMetrics() []CustomMetric
	// CustomMetric are the last values of one of them. selector is about pods only.
	CustomMetric(of CustomMetric, namespace string, selector labels.Selector) []custommetrics.MetricValue
	// ExternalMetrics names the metrics that describe no object, sorted.
	ExternalMetrics() []string
	// ExternalMetric are the last values of one of them whose labels selector matches.
	ExternalMetric(namespace, metric string, selector labels.Selector) []externalmetrics.ExternalMetricValue
}

// CustomMetric is a metric of the objects of a resource: the plural name, followed by a dot and the group unless that is core.
type CustomMetric struct{ Resource, Metric string }

// Groups are the groups that a source serves, none for nil.
func Groups(source Source) []genericapiserver.APIGroupInfo {
	if source == nil {
		return nil
	}
	group := newGroup(metrics.GroupName)
	group.VersionedResourcesStorageMap[metricsv1beta1.SchemeGroupVersion.Version] = map[string]rest.Storage{
		"pods":  &podMetrics{unstored: unstored{newObject: func() runtime.Object { return &metrics.PodMetrics{} }}, source: source},
		"nodes": &nodeMetrics{unstored{newObject: func() runtime.Object { return &metrics.NodeMetrics{} }}, source},
	}
	groups := []genericapiserver.APIGroupInfo{group}
	if len(source.CustomMetrics()) > 0 {
		values := unstored{newObject: func() runtime.Object { return &custommetrics.MetricValueList{} }}
		storages := map[string]rest.Storage{}
		for _, of := range source.CustomMetrics() {
			storages[of.Resource], storages[of.Resource+"/"+of.Metric] = &values, &customMetric{unstored: values, of: of, source: source}
		}
		custom := newGroup(custommetrics.GroupName)
		custom.VersionedResourcesStorageMap[custommetricsv1beta2.SchemeGroupVersion.Version] = storages
		groups = append(groups, custom)
	}
	if len(source.ExternalMetrics()) > 0 {
		values := unstored{newObject: func() runtime.Object { return &externalmetrics.ExternalMetricValueList{} }}
		storages := map[string]rest.Storage{}
		for _, metric := range source.ExternalMetrics() {
			storages[metric] = &externalMetric{unstored: values, metric: metric, source: source}
		}
		external := newGroup(externalmetrics.GroupName)
		external.VersionedResourcesStorageMap[externalmetricsv1beta1.SchemeGroupVersion.Version] = storages
		groups = append(groups, external)
	}
	return groups
}

func newGroup(name string) genericapiserver.APIGroupInfo {
	return genericapiserver.NewDefaultAPIGroupInfo(name, legacyscheme.Scheme, legacyscheme.ParameterCodec, legacyscheme.Codecs)
}

// unstored is what upstream's installer asks of a namespaced resource that nobody can write.
type unstored struct{ newObject func() runtime.Object }

// New implements rest.Storage.
func (u *unstored) New() runtime.Object { return u.newObject() }

// Destroy implements rest.Storage.
func (u *unstored) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (u *unstored) NamespaceScoped() bool { return true }

// GetSingularName implements rest.SingularNameProvider.
func (u *unstored) GetSingularName() string { return "" }

// podMetrics serves pods.metrics.k8s.io: rest.Getter and rest.Lister.
type podMetrics struct {
	unstored
	source Source
}

// NewList implements rest.Lister.
func (p *podMetrics) NewList() runtime.Object { return &metrics.PodMetricsList{} }

// List implements rest.Lister.
func (p *podMetrics) List(ctx context.Context, options *metainternal.ListOptions) (runtime.Object, error) {
	selector := labels.Everything()
	if options != nil && options.LabelSelector != nil {
		selector = options.LabelSelector
	}
	return &metrics.PodMetricsList{Items: p.source.PodMetrics(genericrequest.NamespaceValue(ctx), selector)}, nil
}

// Get implements rest.Getter.
func (p *podMetrics) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	for _, sample := range p.source.PodMetrics(genericrequest.NamespaceValue(ctx), labels.Everything()) {
		if sample.Name == name {
			return &sample, nil
		}
	}
	return nil, apierrors.NewNotFound(metrics.Resource("pods"), name)
}

// ConvertToTable implements rest.TableConvertor.
func (p *podMetrics) ConvertToTable(ctx context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return rest.NewDefaultTableConvertor(metrics.Resource("pods")).ConvertToTable(ctx, object, options)
}

// customMetric serves one metric as a subresource, such as one of pods.custom.metrics.k8s.io: rest.GetterWithOptions. The
// name * means all pods that the selector in the options matches.
type customMetric struct {
	unstored
	of     CustomMetric
	source Source
}

// NewGetOptions implements rest.GetterWithOptions.
func (c *customMetric) NewGetOptions() (options runtime.Object, subpath bool, subpathKey string) {
	return &custommetrics.MetricListOptions{}, false, ""
}

// Get implements rest.GetterWithOptions.
func (c *customMetric) Get(ctx context.Context, name string, options runtime.Object) (runtime.Object, error) {
	selector := labels.Everything()
	if o, ok := options.(*custommetrics.MetricListOptions); ok && name == custommetrics.AllObjects {
		parsed, err := labels.Parse(o.LabelSelector)
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		selector = parsed
	}
	list := &custommetrics.MetricValueList{Items: []custommetrics.MetricValue{}}
	for _, value := range c.source.CustomMetric(c.of, genericrequest.NamespaceValue(ctx), selector) {
		if name == custommetrics.AllObjects || name == value.DescribedObject.Name {
			list.Items = append(list.Items, value)
		}
	}
	return list, nil
}

// externalMetric serves one metric as a resource of external.metrics.k8s.io: rest.Lister.
type externalMetric struct {
	unstored
	metric string
	source Source
}

// NewList implements rest.Lister.
func (e *externalMetric) NewList() runtime.Object { return &externalmetrics.ExternalMetricValueList{} }

// List implements rest.Lister.
func (e *externalMetric) List(ctx context.Context, options *metainternal.ListOptions) (runtime.Object, error) {
	selector := labels.Everything()
	if options != nil && options.LabelSelector != nil {
		selector = options.LabelSelector
	}
	values := e.source.ExternalMetric(genericrequest.NamespaceValue(ctx), e.metric, selector)
	return &externalmetrics.ExternalMetricValueList{Items: append([]externalmetrics.ExternalMetricValue{}, values...)}, nil
}

// ConvertToTable implements rest.TableConvertor.
func (e *externalMetric) ConvertToTable(ctx context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return rest.NewDefaultTableConvertor(externalmetrics.Resource(e.metric)).ConvertToTable(ctx, object, options)
}
