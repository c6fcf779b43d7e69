//go:build !kubernetes_before_1_37

package controllers

import "k8s.io/kubernetes/cmd/kube-controller-manager/app"

// isCloud reports that no controller needs a cloud provider: Kubernetes 1.37 removed the last ones.
func isCloud(*app.ControllerDescriptor) bool { return false }
