package aggregated

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternal "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/metrics/pkg/apis/metrics"
)

// nodeMetrics serves nodes.metrics.k8s.io, which kubectl top nodes asks for: rest.Getter and rest.Lister.
type nodeMetrics struct {
	unstored
	source Source
}

// NamespaceScoped implements rest.Scoper.
func (n *nodeMetrics) NamespaceScoped() bool { return false }

// NewList implements rest.Lister.
func (n *nodeMetrics) NewList() runtime.Object { return &metrics.NodeMetricsList{} }

// List implements rest.Lister.
func (n *nodeMetrics) List(_ context.Context, options *metainternal.ListOptions) (runtime.Object, error) {
	list := &metrics.NodeMetricsList{Items: []metrics.NodeMetrics{}}
	for _, sample := range n.source.NodeMetrics() {
		if options == nil || options.LabelSelector == nil || options.LabelSelector.Matches(labels.Set(sample.Labels)) {
			list.Items = append(list.Items, sample)
		}
	}
	return list, nil
}

// Get implements rest.Getter.
func (n *nodeMetrics) Get(_ context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	for _, sample := range n.source.NodeMetrics() {
		if sample.Name == name {
			return &sample, nil
		}
	}
	return nil, apierrors.NewNotFound(metrics.Resource("nodes"), name)
}

// ConvertToTable implements rest.TableConvertor.
func (n *nodeMetrics) ConvertToTable(ctx context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return rest.NewDefaultTableConvertor(metrics.Resource("nodes")).ConvertToTable(ctx, object, options)
}
