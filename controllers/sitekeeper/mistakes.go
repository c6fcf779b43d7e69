package sitekeeper

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Mistakes are other ways to work on a Site that look as good as keepSite, by name. The controllers sitekeeper-NAME make them:
// docs/howto/write-a-controller.md shows what happens then.
var Mistakes = map[string]func(c *Controller, ctx context.Context, site *Site) error{
	"finalizer-last": finalizerLast,
	"status-always":  statusAlways,
}

// finalizerLast adds the finalizer when there is something to clean up, which sounds right. Between the two requests, the
// host is registered and nothing makes sure that it is released.
func finalizerLast(c *Controller, ctx context.Context, site *Site) error {
	ready, err := c.serve(ctx, site)
	if err != nil {
		return err
	}
	if site, err = c.addFinalizer(ctx, site); err != nil {
		return err
	}
	return c.report(ctx, site, ready)
}

// statusAlways reports when the Site was looked at last. So the status changes with each sync, each change is a watch event,
// and each watch event leads to a sync.
func statusAlways(c *Controller, ctx context.Context, site *Site) error {
	site, err := c.addFinalizer(ctx, site)
	if err != nil {
		return err
	}
	ready, err := c.serve(ctx, site)
	if err != nil {
		return err
	}
	site = site.DeepCopy()
	ready.Type, ready.ObservedGeneration = Ready, site.Generation
	ready.Message += ", checked at " + metav1.Now().UTC().Format(time.RFC3339Nano)
	meta.SetStatusCondition(&site.Status.Conditions, ready)
	site.Status.ObservedGeneration = site.Generation
	_, err = c.clientset.Sites(site.Namespace).UpdateStatus(ctx, site, metav1.UpdateOptions{FieldManager: Name})
	return err
}
