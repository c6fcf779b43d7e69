package sitekeeper

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// The table of hosts is a ConfigMap that says to which Site a host belongs. It stands for anything outside of the cluster
// that knows no owners and no garbage collector: a DNS zone, a load balancer, a database.
const (
	HostsNamespace = "default"
	HostsName      = "hosts"
)

// keepHost registers the host of a Site, unless it is registered. It returns the Site that has the host, if it is another one.
func (c *Controller) keepHost(ctx context.Context, site *Site) (other string, err error) {
	me := cache.MetaObjectToName(site).String()
	hosts, err := c.configMaps.ConfigMaps(HostsNamespace).Get(HostsName)
	if err != nil && !apierrors.IsNotFound(err) {
		return "", err
	}
	if err == nil && hosts.Data[site.Spec.Host] != "" {
		if owner := hosts.Data[site.Spec.Host]; owner != me {
			return owner, nil
		}
		return "", nil
	}
	if err := c.stillThere(ctx, site); err != nil {
		return "", err
	}
	if hosts == nil {
		hosts = &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: HostsName, Namespace: HostsNamespace}, Data: map[string]string{site.Spec.Host: me},
		}
		_, err = c.client.CoreV1().ConfigMaps(HostsNamespace).Create(ctx, hosts, metav1.CreateOptions{FieldManager: Name})
	} else {
		// Two workers may write the table, and what they write depends on what they read. An update with the
		// resourceVersion of the cache is refused if there is a newer one; a patch would overwrite the other's host.
		hosts = hosts.DeepCopy()
		if hosts.Data == nil {
			hosts.Data = map[string]string{}
		}
		hosts.Data[site.Spec.Host] = me
		_, err = c.client.CoreV1().ConfigMaps(HostsNamespace).Update(ctx, hosts, metav1.UpdateOptions{FieldManager: Name})
	}
	if err != nil {
		return "", fmt.Errorf("the host: %w", err)
	}
	return "", nil
}

// stillThere reads the Site from the API server. The cache may be old, and the Site in it long gone: then nobody would ever
// release a host that is registered now. If the Site is not deleted at this moment, its finalizer keeps it until finalize has
// released the host.
func (c *Controller) stillThere(ctx context.Context, site *Site) error {
	now, err := c.clientset.Sites(site.Namespace).Get(ctx, site.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the site again: %w", err)
	}
	if now.UID != site.UID || now.DeletionTimestamp != nil {
		return fmt.Errorf("the cache is old: the site with the uid %s is deleted", site.UID)
	}
	return nil
}

// releaseHost removes the host of a Site from the table. It reads the table from the API server: the cache may not have the
// host yet that an earlier sync registered, and there is no second chance.
func (c *Controller) releaseHost(ctx context.Context, site *Site) error {
	hosts, err := c.client.CoreV1().ConfigMaps(HostsNamespace).Get(ctx, HostsName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the hosts: %w", err)
	}
	if hosts.Data[site.Spec.Host] != cache.MetaObjectToName(site).String() {
		return nil
	}
	delete(hosts.Data, site.Spec.Host)
	if _, err := c.client.CoreV1().ConfigMaps(HostsNamespace).Update(ctx, hosts, metav1.UpdateOptions{FieldManager: Name}); err != nil {
		return fmt.Errorf("releasing the host: %w", err)
	}
	return nil
}
