//go:build kubernetes_before_1_37

package controllers

import "k8s.io/kubernetes/cmd/kube-controller-manager/app"

// isCloud reports whether a controller needs a cloud provider.
func isCloud(d *app.ControllerDescriptor) bool { return d.IsCloudProviderController() }
