//go:build !kubernetes_before_1_35

package apiserver

import "k8s.io/kubernetes/plugin/pkg/admission/nodedeclaredfeatures"

// nodeDeclaredFeatures is the plugin that Kubernetes 1.35 added.
var nodeDeclaredFeatures = admissionPlugin{nodedeclaredfeatures.PluginName, nodedeclaredfeatures.Register, false}
