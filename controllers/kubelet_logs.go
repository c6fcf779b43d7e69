//go:build linux && !kubernetes_before_1_36

package controllers

import "github.com/go-logr/logr"

// lead does nothing: a kubelet logs with the logger that it gets.
func (k *kubelets) lead(string, logr.LogSink) {}

// leadLogs does nothing.
func (c *Processes) leadLogs(*kubelets, int) {}
