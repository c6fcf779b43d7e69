package apiserver_test

import (
	"slices"
	"testing"

	"k8s.io/kubernetes/pkg/kubeapiserver/options"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// TestAdmissionPluginsAreUpstreams compares the table of admission plugins with kube-apiserver's: the order, and which
// of them run by default.
func TestAdmissionPluginsAreUpstreams(t *testing.T) {
	var order, defaults []string
	known, off := apiserver.AdmissionPlugins(), options.DefaultOffAdmissionPlugins()
	for _, name := range options.AllOrderedPlugins {
		if slices.Contains(known, name) {
			order = append(order, name)
		}
		if !off.Has(name) {
			defaults = append(defaults, name)
		}
	}
	if !slices.Equal(known, order) {
		t.Errorf("the order is\n%v\nand kube-apiserver's\n%v", known, order)
	}
	if got := apiserver.DefaultAdmissionPlugins(); !slices.Equal(got, defaults) {
		t.Errorf("by default these run\n%v\nand in kube-apiserver\n%v", got, defaults)
	}
}
