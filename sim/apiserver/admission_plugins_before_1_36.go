//go:build kubernetes_before_1_36

package apiserver

// Kubernetes 1.36 added these plugins.
var podGroupProtection, podGroupExists, jobValidation, podResize admissionPlugin
