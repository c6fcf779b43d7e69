package sitekeeper

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// sync makes the cluster as one Site wants it. An error means that the key comes back later.
func (c *Controller) sync(ctx context.Context, key cache.ObjectName) error {
	site, err := c.sites.Sites(key.Namespace).Get(key.Name)
	switch {
	case apierrors.IsNotFound(err):
		// It is gone, and with its finalizer everything that this controller had to do for it.
		return nil
	case err != nil:
		return err
	case site.DeletionTimestamp != nil:
		return c.finalize(ctx, site)
	}
	return c.reconcile(ctx, site)
}

// keepSite keeps the order that makes a crash after each of its requests harmless: the promise to clean up comes before
// what has to be cleaned up, and the report comes last.
func (c *Controller) keepSite(ctx context.Context, site *Site) error {
	site, err := c.addFinalizer(ctx, site)
	if err != nil {
		return err
	}
	ready, err := c.serve(ctx, site)
	if err != nil {
		return err
	}
	return c.report(ctx, site, ready)
}

// addFinalizer adds the finalizer, unless the Site has it, and returns the Site as it is then. While an object has a
// finalizer, deleting it only sets its deletionTimestamp.
func (c *Controller) addFinalizer(ctx context.Context, site *Site) (*Site, error) {
	if slices.Contains(site.Finalizers, Finalizer) {
		return site, nil
	}
	site = site.DeepCopy()
	site.Finalizers = append(site.Finalizers, Finalizer)
	// The Site from the cache has a resourceVersion. If that is not the newest, the API server answers 409 Conflict.
	site, err := c.clientset.Sites(site.Namespace).Update(ctx, site, metav1.UpdateOptions{FieldManager: Name})
	if err != nil {
		return nil, fmt.Errorf("adding the finalizer: %w", err)
	}
	return site, nil
}

// serve keeps the page and the host, and returns what the condition Ready should say. That somebody else has the name is no
// error: trying again soon would not help, and the event of the ConfigMap that is in the way brings the Site back.
func (c *Controller) serve(ctx context.Context, site *Site) (metav1.Condition, error) {
	if taken, err := c.keepPage(ctx, site); err != nil || taken {
		message := fmt.Sprintf("The ConfigMap %s belongs to somebody else", pageName(site))
		return metav1.Condition{Status: metav1.ConditionFalse, Reason: PageTaken, Message: message}, err
	}
	if other, err := c.keepHost(ctx, site); err != nil || other != "" {
		message := fmt.Sprintf("%s has the host %s", other, site.Spec.Host)
		return metav1.Condition{Status: metav1.ConditionFalse, Reason: HostTaken, Message: message}, err
	}
	return metav1.Condition{Status: metav1.ConditionTrue, Reason: Served, Message: "Served at " + site.Spec.Host}, nil
}

// report writes the status if it changes, and records an Event if the condition does. Each write is an event for
// everybody who watches Sites, this controller included: one that wrote each time would never rest.
func (c *Controller) report(ctx context.Context, site *Site, ready metav1.Condition) error {
	ready.Type, ready.ObservedGeneration = Ready, site.Generation
	before := meta.FindStatusCondition(site.Status.Conditions, Ready)
	site = site.DeepCopy()
	// SetStatusCondition sets lastTransitionTime only if the status of the condition is another one than before.
	changed := meta.SetStatusCondition(&site.Status.Conditions, ready)
	if !changed && site.Status.ObservedGeneration == site.Generation {
		return nil
	}
	site.Status.ObservedGeneration = site.Generation
	// This request writes the status only. If the spec has changed meanwhile, it is refused with a conflict.
	if _, err := c.clientset.Sites(site.Namespace).UpdateStatus(ctx, site, metav1.UpdateOptions{FieldManager: Name}); err != nil {
		return fmt.Errorf("writing the status: %w", err)
	}
	if before == nil || before.Reason != ready.Reason {
		c.record(site, ready)
	}
	return nil
}

// finalize releases the host of a Site that is deleted, and then lets it go. The page needs nothing: the garbage collector
// deletes what the Site owns.
func (c *Controller) finalize(ctx context.Context, site *Site) error {
	if !slices.Contains(site.Finalizers, Finalizer) {
		return nil // it waits for the finalizers of others
	}
	if err := c.releaseHost(ctx, site); err != nil {
		return err
	}
	site = site.DeepCopy()
	site.Finalizers = slices.DeleteFunc(site.Finalizers, func(name string) bool { return name == Finalizer })
	_, err := c.clientset.Sites(site.Namespace).Update(ctx, site, metav1.UpdateOptions{FieldManager: Name})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("removing the finalizer: %w", err)
	}
	return nil
}
