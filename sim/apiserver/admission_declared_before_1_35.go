//go:build kubernetes_before_1_35

package apiserver

// Kubernetes 1.35 added this plugin.
var nodeDeclaredFeatures admissionPlugin
