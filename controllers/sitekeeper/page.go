package sitekeeper

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pageKey is where a page's ConfigMap has its text.
const pageKey = "index.html"

func pageName(site *Site) string { return site.Name + "-page" }

// keepPage keeps the ConfigMap with the page. It reports whether there is one of that name that does not belong to the Site.
//
// The Site owns the page. Whatever goes wrong, even a page for a Site that has just been deleted, the garbage collector sees
// to it: it deletes what has an owner that does not exist.
func (c *Controller) keepPage(ctx context.Context, site *Site) (taken bool, err error) {
	pages := c.client.CoreV1().ConfigMaps(site.Namespace)
	want := map[string]string{pageKey: site.Spec.Page}
	page, err := c.configMaps.ConfigMaps(site.Namespace).Get(pageName(site))
	switch {
	case apierrors.IsNotFound(err):
		page := &corev1.ConfigMap{
			// The name follows from the Site's. With a generated one, an answer that is lost would leave two pages.
			ObjectMeta: metav1.ObjectMeta{Name: pageName(site), OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(site, GroupVersion.WithKind("Site")),
			}},
			Data: want,
		}
		// AlreadyExists means that the cache is behind. The next attempt finds it up to date.
		_, err = pages.Create(ctx, page, metav1.CreateOptions{FieldManager: Name})
	case err != nil:
	case !metav1.IsControlledBy(page, site):
		// Another uid in the reference is another owner, even if it has the same name.
		return true, nil
	case len(page.Data) == 1 && page.Data[pageKey] == site.Spec.Page:
		return false, nil
	default:
		page = page.DeepCopy()
		page.Data = want
		_, err = pages.Update(ctx, page, metav1.UpdateOptions{FieldManager: Name})
	}
	if err != nil {
		return false, fmt.Errorf("the page: %w", err)
	}
	return false, nil
}
